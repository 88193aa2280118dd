import { ApiError, at } from '@fairlead/apimachinery';

/** Whether the same request may go well a moment later: the server is busy or away, or its answer was lost. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.retriable;
  if (!(error instanceof Error) || error.name === 'AbortError') return false;
  const retriable = at(error, 'retriable');
  // An unmarked error of another class, such as TypeError, is a programming error: it must not be retried.
  return retriable === undefined ? error.constructor === Error : retriable === true;
}

const remedies: readonly (readonly [when: (error: ApiError) => boolean, remedy: string])[] = [
  [
    ({ message }) =>
      /immutable|may not be changed|may not change|cannot be changed|cannot change|updates to .* (are|is) forbidden|updates to \w+ spec/iu.test(
        message,
      ),
    'this cannot be changed on a live object: set the sync option Force=true, or Replace=true with Force=true, and it is deleted and created again',
  ],
  [({ code, message }) => code === 403 && /exceeded quota/u.test(message), 'raise the ResourceQuota, or ask for less'],
  [
    ({ code, message }) => code === 403 && /being terminated/u.test(message),
    'wait until the namespace is gone, and sync again',
  ],
  [
    ({ code, reason }) => code === 403 || reason === 'Forbidden',
    'give the account that the controller uses this right, by a Role or ClusterRole and its binding',
  ],
  [
    ({ code, message }) => code === 404 && /namespaces? ".*" not found/u.test(message),
    'create the namespace, or set the sync option CreateNamespace=true',
  ],
  [
    ({ message }) => /metadata\.annotations: Too long/u.test(message),
    'the object is too large to be kept in an annotation: set the sync option ServerSideApply=true',
  ],
  [
    ({ message }) => /unknown field/u.test(message),
    'correct the field, or set the sync option Validate=false to let the server drop it',
  ],
];

/** What the server said, and what a person can do about it. */
export function explainFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return message;
  const remedy = remedies.find(([when]) => when(error))?.[1];
  return remedy ? `${message}: ${remedy}` : message;
}
