import { readFileSync } from 'node:fs';
import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { policyText, readPolicyFile } from '@fairlead/server';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { CliError } from '../cli-error.ts';
import type { Call } from '../command-line/command.ts';
import type { rbacValidate } from '../command-line/specs/rbac.ts';

/** The data of `argocd-rbac-cm`, from a file or from a cluster. */
export async function readPolicy(call: Call<typeof rbacValidate.flags>): Promise<Readonly<Record<string, string>>> {
  const { 'policy-file': file, namespace } = call.flags;
  if ((file === undefined) === (namespace === undefined)) {
    throw new CliError('please provide exactly one of --policy-file or --namespace');
  }
  const data = file === undefined ? await policyOnCluster(call, namespace ?? '') : readPolicyFile(readText(file));
  if (policyText(data).trim() === '') throw new CliError('Policy is empty or could not be loaded.');
  return data;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = missing ? 'no such file or directory' : String(error);
    throw new CliError(`error opening policy file: open ${file}: ${reason}`);
  }
}

async function policyOnCluster(
  call: Call<typeof rbacValidate.flags>,
  namespace: string,
): Promise<Readonly<Record<string, string>>> {
  let data: Readonly<Record<string, string>> = {};
  await onCluster(call, async (client) => {
    const found = await client.get<ConfigMap>(configMapType, { namespace, name: 'argocd-rbac-cm' });
    data = found.data ?? {};
    return 0;
  });
  return data;
}
