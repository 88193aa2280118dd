import { notificationsCatalog as catalog, notificationsConfigMap } from '@fairlead/app-controller/notifications';
import { writeYaml } from '@fairlead/render/go-yaml';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { notificationsCatalog } from '../../command-line/specs/notifications.ts';
import { controlPlaneNamespace } from '../../install.ts';

/** `fairlead notifications catalog` */
export const run: Handler<typeof notificationsCatalog> = async ({ terminal }) => {
  const metadata = { name: notificationsConfigMap, namespace: controlPlaneNamespace };
  terminal.write(writeYaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: catalog() }));
  return exitCodes.ok;
};
