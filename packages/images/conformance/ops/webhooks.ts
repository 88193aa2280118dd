import { parseImage } from '../../src/reference/image-reference.ts';
import { registryFromEcr, registryFromSource } from '../../src/webhook/cloud-events.ts';
import { concerns, eventsOf, typeOf } from '../../src/webhook/dispatch.ts';
import type { WebhookKind, WebhookRequest } from '../../src/webhook/event.ts';
import { registryFromUrl, webhookKinds } from '../../src/webhook/kinds.ts';
import { isSigned } from '../../src/webhook/proof.ts';
import { answerTo } from '../../src/webhook/server.ts';
import type { Input, Ops } from './case.ts';
import { joined } from './expect.ts';

const requestFrom = ({
  method = 'POST',
  headers = {},
  query = {},
  body = '',
  body_parts: parts,
}: Input): WebhookRequest => ({
  method,
  headers: Object.fromEntries(
    Object.entries(headers as Record<string, string>).map(([name, value]) => [name.toLowerCase(), value]),
  ),
  query: new URLSearchParams(query),
  body: Buffer.from(parts ? joined(parts) : body),
});

function kindOf(type: string): WebhookKind {
  const kind = webhookKinds.find((one) => one.type === type);
  if (!kind) throw new Error(`there is no kind ${type}`);
  return kind;
}

const registered = (types: readonly string[], secret: string) => types.map((type) => ({ kind: kindOf(type), secret }));

export const webhookOps: Ops = {
  validate(input) {
    kindOf(input['type']).validate(requestFrom(input), input['secret']);
    return { valid: true };
  },
  parse: (input) => ({ ...kindOf(input['type']).parse(requestFrom(input))[0] }),
  process(input) {
    const kind = kindOf(input['type']);
    kind.validate(requestFrom(input), input['secret']);
    return { ...kind.parse(requestFrom(input))[0] };
  },
  signature: ({ body, secret, signature }) => ({ valid: isSigned(Buffer.from(body), secret, signature) }),
  registry_from_docker_url: ({ docker_url: url }) => ({ registry: registryFromUrl(url) }),
  registry_from_ecr_source: ({ source, data }) => ({ registry: registryFromEcr(source, data) }),
  registry_from_source: ({ source }) => ({ registry: registryFromSource(source) }),
  dispatch: (input) => ({ ...eventsOf(requestFrom(input), registered(input['registered'], input['secret']))[0] }),
  detect_type: (input) => ({ type: typeOf(requestFrom(input)) }),
  async http(input) {
    const { status, body } = await answerTo(input['path'], requestFrom(input), {
      registered: registered(input['registered'], input['secret'] ?? ''),
      accept: async () => {},
    });
    return { status, body };
  },
  match_images: ({ images, event }) => ({
    kept: images.filter(({ image }: Input) => concerns(event, parseImage(image))).map(({ alias }: Input) => alias),
  }),
};
