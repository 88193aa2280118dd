import { ApiError } from '@fairlead/apimachinery';
import { TransportError } from '@fairlead/kube';

/** A failure in words that a tenant can be told: what is away, and that it is tried again. */
export function retryMessage(error: unknown): string {
  if (error instanceof ApiError) return `the Kubernetes API answers "${error.message}": trying again`;
  if (error instanceof TransportError) return 'the Kubernetes API does not answer: trying again';
  if (isDatabaseError(error)) return 'the database does not answer: trying again';
  return `${error instanceof Error ? error.message : String(error)}: trying again`;
}

/** PostgreSQL's own errors have a code of five characters; those of the way to it have the system's. */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$|^E[A-Z]+$/u.test(code) || /connection|query read timeout|connect/iu.test(error.message);
}
