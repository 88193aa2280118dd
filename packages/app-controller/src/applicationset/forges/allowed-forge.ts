import type { GeneratorRun } from '../generators/generator.ts';
import { GeneratorError } from '../generators/generator-error.ts';

/**
 * Throws unless forges may be asked, and this one: the list names addresses that an ApplicationSet may give. Outside of the namespace of the
 * control plane, forges are asked only if there is such a list: tokens could be sent anywhere otherwise.
 */
export function permitForge(
  api: string | undefined,
  { settings, set, namespace }: Pick<GeneratorRun, 'settings' | 'set' | 'namespace'>,
): void {
  if (!settings.scmProviders) throw new GeneratorError('scm providers are disabled');
  const allowed = settings.allowedScmProviders;
  if (allowed.length === 0 && set.metadata.namespace !== namespace) {
    throw new GeneratorError(
      `scm providers are disabled in namespace ${set.metadata.namespace}: list the permitted ones in applicationsetcontroller.allowed.scm.providers`,
    );
  }
  if (!api || allowed.length === 0 || allowed.includes(api)) return;
  throw new GeneratorError(
    `scm provider not allowed: scm provider ${JSON.stringify(api)} not allowed, must use one of the following: ${allowed.join(', ')}`,
  );
}
