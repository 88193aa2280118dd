import {
  apiError,
  describe,
  type FieldError,
  fieldError,
  formatTime,
  type KubeObject,
  type Pod,
  toCause,
} from '@fairlead/apimachinery';
import type { Draft, RuleContext } from '../resource.ts';
import type { ServiceAccountTokens, TokenContents } from './service-account-tokens.ts';

interface RequestSpec {
  audiences?: string[];
  expirationSeconds?: number;
  boundObjectRef?: { apiVersion?: string; kind?: string; name?: string; uid?: string } | null;
}

type Reads = Pick<RuleContext, 'get' | 'clock'>;

const group = 'authentication.k8s.io';
const minutes10 = 600;
const day365 = 365 * 24 * 3600;
/** The special lifetime that kubelets request: such tokens are valid for a year, for clients that never reload them. */
const kubeletSeconds = 3607;

/** POST `serviceaccounts/NAME/token`: takes a TokenRequest, and returns it with a token in its status. */
export function requestToken(
  tokens: ServiceAccountTokens,
  apiAudiences: readonly string[],
  account: { readonly namespace: string; readonly name: string },
  draft: Draft,
  context: Reads,
): Draft {
  const { name, namespace } = account;
  const meta = draft.metadata;
  if (meta?.name && meta.name !== name)
    throw invalid(
      name,
      fieldError.invalid('metadata.name', meta.name, 'must match the service account name if specified'),
    );
  if (meta?.namespace && meta.namespace !== namespace)
    throw invalid(
      name,
      fieldError.invalid('metadata.namespace', meta.namespace, 'must match the service account namespace if specified'),
    );
  const stored = context.get('core/serviceaccounts', namespace, name);
  if (!stored) throw notFound('serviceaccounts', name);
  const uid = stored.metadata.uid ?? '';
  if (meta?.uid && meta.uid !== uid)
    throw conflict(
      'TokenRequest',
      name,
      `the UID in the token request (${meta.uid}) does not match the UID of the service account (${uid})`,
      group,
    );

  const spec = (draft.spec ?? {}) as RequestSpec;
  const seconds = spec.expirationSeconds ?? 3600;
  if (seconds < minutes10)
    throw invalid(
      '',
      fieldError.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
    );
  if (seconds > 2 ** 32)
    throw invalid(
      '',
      fieldError.invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds'),
    );

  const audiences = spec.audiences?.length ? spec.audiences : [...apiAudiences];
  const bound = spec.boundObjectRef ? boundTo(spec.boundObjectRef, account, context) : {};
  const extended = bound.pod && seconds === kubeletSeconds && audiences.some((a) => apiAudiences.includes(a));
  const now = context.clock.now();
  const token = tokens.issue({
    serviceAccount: { namespace, name, uid },
    audiences,
    expirationSeconds: extended ? day365 : seconds,
    ...bound,
  });
  return {
    kind: 'TokenRequest',
    apiVersion: `${group}/v1`,
    metadata: { name, namespace, uid, creationTimestamp: formatTime(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: { token, expirationTimestamp: formatTime(now + seconds * 1000) },
  };
}

type Bound = Pick<TokenContents, 'pod' | 'secret' | 'node'>;

function boundTo(
  ref: NonNullable<RequestSpec['boundObjectRef']>,
  account: { readonly namespace: string; readonly name: string },
  context: Reads,
): Bound {
  const name = ref.name ?? '';
  const find = (resource: string, namespace: string): KubeObject => {
    const object = context.get(`core/${resource}`, namespace, name);
    if (!object) throw notFound(resource, name);
    if (ref.uid && object.metadata.uid !== ref.uid)
      throw conflict(
        ref.kind ?? '',
        name,
        `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    return object;
  };
  const idOf = (object: KubeObject) => ({ name: object.metadata.name, uid: object.metadata.uid ?? '' });
  const isCore = (ref.apiVersion ?? '') === 'v1';

  if (isCore && ref.kind === 'Pod') {
    const pod: Pod = find('pods', account.namespace);
    const { serviceAccountName, nodeName } = pod.spec ?? {};
    if (serviceAccountName !== account.name)
      throw apiError(
        400,
        'BadRequest',
        `cannot bind token for serviceaccount ${JSON.stringify(account.name)} to pod running with different serviceaccount name.`,
      );
    if (!nodeName) return { pod: idOf(pod) };
    const node = context.get('core/nodes', '', nodeName);
    return { pod: idOf(pod), node: node ? idOf(node) : { name: nodeName } };
  }
  if (isCore && ref.kind === 'Secret') return { secret: idOf(find('secrets', account.namespace)) };
  if (isCore && ref.kind === 'Node') return { node: idOf(find('nodes', '')) };
  const [version, kindGroup] = (ref.apiVersion ?? '').split('/').reverse();
  throw apiError(
    400,
    'BadRequest',
    `cannot bind token to object of type ${kindGroup ?? ''}/${version ?? ''}, Kind=${ref.kind ?? ''}`,
  );
}

const invalid = (name: string, error: FieldError) =>
  apiError(422, 'Invalid', `TokenRequest.${group} ${JSON.stringify(name)} is invalid: ${describe([error])}`, {
    ...(name ? { name } : {}),
    group,
    kind: 'TokenRequest',
    causes: [toCause(error)],
  });

const notFound = (resource: string, name: string) =>
  apiError(404, 'NotFound', `${resource} ${JSON.stringify(name)} not found`, { name, kind: resource });

const conflict = (kind: string, name: string, message: string, kindGroup = '') =>
  apiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${kindGroup ? `${kind}.${kindGroup}` : kind} ${JSON.stringify(name)}: ${message}`,
    { name, ...(kindGroup ? { group: kindGroup } : {}), kind },
  );
