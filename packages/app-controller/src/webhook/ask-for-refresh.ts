import { type Application, applicationKind } from '@fairlead/api';
import { isNotFound, keyOf } from '@fairlead/apimachinery';
import type { ApiClient, Logger } from '@fairlead/kube';
import { refreshAnnotation } from '../refresh/refresh.ts';

/**
 * Asks for a refresh by the annotation: whichever controller works on the Application sees it, in whichever process it runs, also after a
 * restart. One that is asked for already is not asked for again.
 */
export async function askForRefresh(
  { client, log }: { readonly client: Pick<ApiClient, 'patch'>; readonly log: Logger },
  application: Application,
): Promise<void> {
  const { name = '', namespace = '', annotations = {} } = application.metadata;
  if (annotations[refreshAnnotation] !== undefined) return;
  const patch = { metadata: { annotations: { [refreshAnnotation]: 'normal' } } };
  try {
    await client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', patch);
  } catch (error) {
    if (isNotFound(error)) return;
    log.warn('a refresh could not be requested', { application: keyOf(application), error });
  }
}
