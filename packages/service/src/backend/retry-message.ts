import { ApiError } from '@fairlead/apimachinery';
import { TransportError } from '@fairlead/kube';

/** Describes a failure to a tenant: what is unavailable, and that it is retried. */
export function retryMessage(error: unknown): string {
  if (error instanceof ApiError) return `the Kubernetes API returned "${error.message}": retrying`;
  if (error instanceof TransportError) return 'the Kubernetes API does not respond: retrying';
  if (isDatabaseError(error)) return 'the database does not respond: retrying';
  return `${error instanceof Error ? error.message : String(error)}: retrying`;
}

/** Errors of PostgreSQL have a code of five characters; connection errors have a code of the operating system. */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$|^E[A-Z]+$/u.test(code) || /connection|query read timeout|connect/iu.test(error.message);
}
