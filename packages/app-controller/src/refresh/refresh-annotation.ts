import { type Application, applicationKind } from '@fairlead/api';
import { ApiError, isConflict, isNotFound } from '@fairlead/apimachinery';
import { keyOfApplication, type ReconcileEnv } from '../reconcile-env.ts';
import { refreshAnnotation } from './refresh.ts';

/**
 * Removes the refresh request of an Application once the result is persisted: a client that waits for it to be removed then
 * reads the status that they asked for, and a controller that dies before has not lost it. It goes only if it is still the one that was
 * seen, so that a newer request stays.
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
