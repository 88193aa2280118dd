import { apiError } from '@fairlead/apimachinery';

export type Format = 'json' | 'yaml';

/** The representation that the client accepts. */
export interface Representation {
  readonly format: Format;
  readonly as?: {
    readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
    readonly version: string;
  };
}

const json: Representation = { format: 'json' };
const known = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

/** The first acceptable clause of an Accept header. Protobuf responses are not supported: clients that also list JSON get JSON. */
export function negotiate(accept: string | undefined): Representation {
  if (!accept || accept === '*/*' || accept === 'application/json') return json;
  let sawMedia = false;
  for (const clause of clausesOf(accept)) {
    const format = formatOf(clause.media);
    if (!format) continue;
    sawMedia = true;
    if (!clause.as) return { format };
    const representation = transformed(format, clause);
    if (representation) return representation;
  }
  if (sawMedia) throw apiError(406, 'NotAcceptable', `only the following media types are accepted: ${known}`);
  throw apiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${known}`, {});
}

interface Clause {
  readonly media: string;
  readonly quality: number;
  readonly as?: string;
  readonly version?: string;
  readonly group?: string;
}

function clausesOf(accept: string): Clause[] {
  return accept
    .split(',')
    .map((text) => {
      const [media = '', ...parameters] = text.split(';').map((part) => part.trim());
      const values = Object.fromEntries(parameters.map((parameter) => parameter.split('=', 2) as [string, string]));
      return {
        media: media.toLowerCase(),
        quality: values['q'] === undefined ? 1 : Number(values['q']) || 0,
        ...(values['as'] ? { as: values['as'] } : {}),
        ...(values['v'] ? { version: values['v'] } : {}),
        ...(values['g'] ? { group: values['g'] } : {}),
      };
    })
    .filter((clause) => clause.quality > 0)
    .sort((a, b) => b.quality - a.quality);
}

function formatOf(media: string): Format | undefined {
  if (media === 'application/json' || media === '*/*') return 'json';
  return media === 'application/yaml' ? 'yaml' : undefined;
}

function transformed(format: Format, clause: Clause): Representation | undefined {
  if (clause.group !== 'meta.k8s.io' || (clause.version !== 'v1' && clause.version !== 'v1beta1')) return undefined;
  const { as } = clause;
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined;
  return { format, as: { kind: as, version: `meta.k8s.io/${clause.version}` } };
}
