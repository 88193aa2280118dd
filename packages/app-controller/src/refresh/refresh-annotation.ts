import { type Application, applicationKind } from '@fairlead/api';
import { ApiError, isConflict, isNotFound } from '@fairlead/apimachinery';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { refreshAnnotation } from './refresh.ts';

/**
 * Removes the refresh annotation of an Application once the result is written: a client that waits for its removal then reads the new
 * status, and a controller that crashes before does not lose the request. It is removed only if it has not changed, so that a newer request
 * is kept.
 */
export async function takeRefreshAnnotation(
  env: Pick<ReconcileEnv, 'client' | 'applications'>,
  application: Application,
  signal: AbortSignal,
): Promise<void> {
  const value = application.metadata.annotations?.[refreshAnnotation];
  if (value === undefined) return;
  const path = `/metadata/annotations/${refreshAnnotation.replaceAll('/', '~1')}`;
  const patch = [
    { op: 'test', path, value },
    { op: 'remove', path },
  ];
  try {
    const written = await env.client.patch<Application>(
      applicationKind.type,
      keyOfApplication(application),
      'json',
      patch,
      { signal },
    );
    env.applications.wrote(written);
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || (error instanceof ApiError && error.code === 422)) return;
    throw error;
  }
}
