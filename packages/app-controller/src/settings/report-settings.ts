import { type SettingRole, settingTable } from '@fairlead/api/settings';
import type { ApiClient, Logger } from '@fairlead/kube';
import { checkSettings, type SettingFinding } from './check-settings.ts';
import { findSettings } from './setting-objects.ts';

/**
 * Logs each key that is set and has no effect, once at the start of a role. Every key is reported by one role, so that the logs of an
 * installation have it once. Invalid values are reported where they are read.
 */
export async function reportUnsupportedSettings(
  client: Pick<ApiClient, 'get' | 'list'>,
  namespace: string,
  role: SettingRole,
  log: Logger,
): Promise<void> {
  const sources = settingTable.filter(
    ({ settings, reportedBy }) =>
      reportedBy === role ||
      Object.values(settings).some(({ status, roles }) => status === 'not supported' && roles[0] === role),
  );
  try {
    const { objects, forbidden } = await findSettings(client, namespace, sources);
    for (const name of forbidden) log.info('settings are not checked: no right to read them', { settings: name });
    for (const { object, key, message } of objects.flatMap(checkSettings).filter((found) => hasNoEffect(found, role)))
      log.warn('a setting has no effect', { setting: `${object}: ${key}`, reason: message });
  } catch (error) {
    log.warn('settings are not checked', { error });
  }
}

const hasNoEffect = (found: SettingFinding, role: SettingRole): boolean =>
  found.role === role && (found.kind === 'not supported' || found.kind === 'unknown');
