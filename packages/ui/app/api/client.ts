import { ApiProblem, createClient } from '@fairlead/client';

export const client = createClient();

const signedOutListeners = new Set<() => void>();

/** Called when the server answers that the session is over. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401;

export function reportProblem(error: unknown): void {
  if (isSignedOut(error)) for (const listener of signedOutListeners) listener();
}

export const problemText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
