import { isKubeObject, type JsonObject, type KubeObject, toJson } from '@fairlead/apimachinery';
import { parseManifests } from '@fairlead/render';
import { readText } from '../applications/spec/source-from-flags.ts';
import { CliError } from '../cli-error.ts';

import { isSealed, unseal } from './sealed-secret.ts';

/** The objects of a backup, of Fairlead or of `argocd admin export`. */
export function readBackup(file: string, passphrase: string | undefined): (KubeObject & JsonObject)[] {
  return parseManifests(file, readText('file', file)).map(({ object }) => {
    const complete = toJson(object);
    if (!isKubeObject(complete)) throw new CliError(`${file}: an object has no apiVersion, kind or name`);
    if (!isSealed(complete)) return complete;
    if (passphrase === undefined || passphrase === '')
      throw new CliError(`${file} has encrypted Secrets: set FAIRLEAD_PASSPHRASE to the passphrase of the export`);
    return unseal(complete, passphrase);
  });
}
