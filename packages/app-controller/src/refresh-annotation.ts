import { type Application, applicationKind } from '@fairlead/api';
import { ApiError, isConflict, isNotFound } from '@fairlead/kube';
import { refreshAnnotation } from './refresh.ts';
import { keyOfApplication, type World } from './world.ts';

/**
 * The Application without the request for a refresh that it carries. It is taken away only if it is still the one that was seen: a newer
 * request is not lost.
 */
export async function withoutRefreshAnnotation(
  world: Pick<World, 'client' | 'applications'>,
  application: Application,
  signal: AbortSignal,
): Promise<Application> {
  const value = application.metadata.annotations?.[refreshAnnotation];
  if (value === undefined) return application;
  const path = `/metadata/annotations/${refreshAnnotation.replaceAll('/', '~1')}`;
  const patch = [
    { op: 'test', path, value },
    { op: 'remove', path },
  ];
  try {
    const written = await world.client.patch<Application>(
      applicationKind.type,
      keyOfApplication(application),
      'json',
      patch,
      { signal },
    );
    world.applications.wrote(written);
    return written;
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || (error instanceof ApiError && error.code === 422)) return application;
    throw error;
  }
}
