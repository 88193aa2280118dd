import { at, readJson, refuse, required, textAt, type WebhookKind } from './event.ts';
import { isJson, isPost, knowsSecret } from './proof.ts';

/** CloudEvents: Amazon ECR through EventBridge, and other senders with `container` or `image` in the event type. */
export const cloudEvents: WebhookKind = {
  type: 'cloudevents',
  validate(request, secret) {
    isPost(request);
    isJson(request, 'application/cloudevents+json');
    knowsSecret(request.query.get('secret') || request.headers['x-webhook-secret'], secret);
  },
  parse(request) {
    const payload = readJson(request);
    required(textAt(payload, 'specversion'), 'specversion');
    const type = required(textAt(payload, 'type'), 'type');
    const isEcr = type.startsWith('com.amazon.ecr.');
    if (!isEcr && !/container|image/u.test(type))
      refuse(`an event of type ${JSON.stringify(type)} is not about an image`);
    const data = at(payload, 'data');
    const source = textAt(payload, 'source');
    const subject = /^([^:]*):(.*)$/su.exec(textAt(payload, 'subject'));
    const first = (...names: readonly string[]): string =>
      names.map((name) => textAt(data, name)).find((text) => text !== '') ?? '';
    const named = (name: string, other: 'repository' | 'tag' | 'digest'): string =>
      isEcr ? first(name) : first(name, other);
    const registry = isEcr
      ? registryFromEcr(source, data)
      : textAt(data, 'registryUrl') || textAt(data, 'registry') || registryFromSource(source);
    return [
      {
        registry: required(registry, 'registry'),
        repository: required(named('repositoryName', 'repository') || (subject?.[1] ?? ''), 'repository'),
        tag: required(named('imageTag', 'tag') || (subject?.[2] ?? ''), 'tag'),
        digest: named('imageDigest', 'digest'),
      },
    ];
  },
};

/** `urn:aws:ecr:REGION:ACCOUNT:repository/NAME`; the account in the data wins. */
export function registryFromEcr(source: string, data: unknown): string {
  if (!/^(?:urn|arn):aws:ecr:/u.test(source)) return '';
  const [, , , region, account] = source.split(':');
  if (region === undefined || account === undefined) return '';
  return `${textAt(data, 'registryId') || account}.dkr.ecr.${region}.amazonaws.com`;
}

/** The host of a URL, or of `host.name/…`. */
export function registryFromSource(source: string): string {
  if (/^https?:\/\//u.test(source)) return source.split('/')[2] ?? '';
  const [first = ''] = source.split('/', 1);
  return first.includes('.') ? first : '';
}
