import { type JsonObject, stringsAt, textAt } from '@fairlead/apimachinery';
import { type SettingObject, settingSourceOf } from '@fairlead/app-controller';
import { CliError } from '../cli-error.ts';
import { readObjects } from '../notifications/read-config.ts';

/** The ConfigMaps and Secrets with settings in files. Other objects are ignored. */
export function settingsInFiles(files: readonly string[]): SettingObject[] {
  return files.flatMap((file) => {
    const found = readObjects(file).flatMap(settingObject);
    if (found.length === 0) throw new CliError(`${file} has no ConfigMap or Secret with settings of Argo CD`);
    return found;
  });
}

function settingObject(object: JsonObject): SettingObject[] {
  const { kind } = object;
  if (kind !== 'ConfigMap' && kind !== 'Secret') return [];
  const data = stringsAt(object, 'data');
  const read = {
    kind,
    name: textAt(object, 'metadata', 'name'),
    labels: stringsAt(object, 'metadata', 'labels'),
    data: kind === 'ConfigMap' ? data : { ...decoded(data), ...stringsAt(object, 'stringData') },
  } as const;
  return settingSourceOf(read) ? [read] : [];
}

const decoded = (data: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')]));
