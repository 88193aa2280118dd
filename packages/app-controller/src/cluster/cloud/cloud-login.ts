import type { ExecConfig } from '@fairlead/kube';

/** A sign-in to the API server of a managed cluster, by the identity of this process in the cloud. */
export type CloudLogin = (
  | { readonly kind: 'aws'; readonly clusterName: string; readonly roleArn: string; readonly profile: string }
  | { readonly kind: 'gcp' }
  | { readonly kind: 'azure' }
) & {
  /** Added to the environment of the process. */
  readonly env: Readonly<Record<string, string>>;
};

/** The program of Argo CD that prints credentials; its commands are answered without it. */
export const isK8sAuth = ({ command }: Pick<ExecConfig, 'command'>): boolean =>
  /(?:^|\/)argocd-k8s-auth$/u.test(command ?? '');

/** The sign-in that arguments of `argocd-k8s-auth` describe, or what is wrong with them. */
export function cloudLogin({
  args = [],
  env = [],
}: Pick<ExecConfig, 'args' | 'env'>): CloudLogin | { problem: string } {
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const [command = '', ...rest] = args ?? [];
  if (command === 'gcp' || command === 'azure') return { kind: command, env: variables };
  if (command !== 'aws') return { problem: `${JSON.stringify(command)} is not one of aws, azure, gcp` };
  const flags = new Map<string, string>();
  for (let i = 0; i < rest.length; i++) {
    const [, name, value] = /^--?(cluster-name|role-arn|profile)(?:=(.*))?$/su.exec(rest[i] ?? '') ?? [];
    if (name === undefined) return { problem: `${JSON.stringify(rest[i])} is not an argument of argocd-k8s-auth aws` };
    flags.set(name, value ?? rest[++i] ?? '');
  }
  const clusterName = flags.get('cluster-name') ?? '';
  if (clusterName === '') return { problem: '--cluster-name is missing' };
  return {
    kind: 'aws',
    clusterName,
    roleArn: flags.get('role-arn') ?? '',
    profile: flags.get('profile') ?? '',
    env: variables,
  };
}
