import { mirrorServiceAccount, type ServiceAccount } from '@fairlead/apimachinery';
import type { PodFields } from '@fairlead/apimachinery/fields';
import type { RuleContext } from '../../../resource.ts';
import { podOf } from '../pod/pod.ts';
import { mirrorPod } from '../pod-spec/annotations.ts';
import type { Container, PodSpec } from '../pod-spec/types.ts';
import { everyContainerAt } from '../pod-spec/visit.ts';
import type { Volume } from '../pod-spec/volume-types.ts';
import { refusePod } from './refusal.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Sets the service account of a new pod, its pull secrets, and a volume with its token. */
export function serviceAccount(draft: PodFields, old: PodFields | undefined, context: RuleContext): void {
  if (old || context.subresource !== '') return;
  const { metadata, spec } = podOf(draft);
  if (metadata.annotations?.[mirrorPod] !== undefined) return checkMirrorPod(draft, spec);
  spec.serviceAccountName ||= 'default';
  mirrorServiceAccount(spec);
  const namespace = metadata.namespace ?? '';
  const account: ServiceAccount | undefined = context.get('core/serviceaccounts', namespace, spec.serviceAccountName);
  if (!account) {
    const name = spec.serviceAccountName;
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw refusePod(draft, why);
  }
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec, context);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }));
  }
  const enforced = account.metadata.annotations?.['kubernetes.io/enforce-mountable-secrets'];
  if (enforced && /^(1|t|T|TRUE|true|True)$/.test(enforced)) {
    const why = foreignSecret(spec, account);
    if (why) throw refusePod(draft, why);
  }
}

/** Mirror pods represent static pods of a kubelet: they cannot depend on the API. */
function checkMirrorPod(draft: PodFields, spec: PodSpec): void {
  if (spec.serviceAccountName) throw refusePod(draft, 'a mirror pod may not reference service accounts');
  const usesSecrets =
    (spec.imagePullSecrets ?? []).length > 0 ||
    (spec.volumes ?? []).some(
      (volume) => volume.secret || volume.projected?.sources?.some((source) => source.secret),
    ) ||
    [...everyContainerAt(spec, '')].some(([container]) => secretsOf(container).length > 0);
  if (usesSecrets) throw refusePod(draft, 'a mirror pod may not reference secrets');
  if (spec.volumes?.some((volume) => volume.projected?.sources?.some((source) => source.serviceAccountToken))) {
    throw refusePod(draft, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function mountToken(spec: PodSpec, context: RuleContext): void {
  const existing = spec.volumes?.find((volume) => volume.name?.startsWith(volumePrefix));
  const name = existing?.name ?? generatedName(context);
  let needed = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    (container.volumeMounts ??= []).push({ name, readOnly: true, mountPath });
    needed = true;
  }
  if (needed && !existing) (spec.volumes ??= []).push(tokenVolume(name));
}

function generatedName(context: RuleContext): string {
  let name = volumePrefix;
  for (let at = 0; at < 5; at += 1) name += suffixLetters[Math.floor(context.random() * suffixLetters.length)];
  return name;
}

/** A token that is rotated hourly, the CA, and the namespace. */
const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});

/** Pods of accounts with this annotation may use only Secrets that the account lists. */
function foreignSecret(spec: PodSpec, account: ServiceAccount): string | undefined {
  const allowed = new Set((account.secrets ?? []).map(({ name }) => name));
  const refusal = `is not allowed because service account ${account.metadata.name} does not reference that`;
  for (const { secret } of spec.volumes ?? []) {
    if (secret && !allowed.has(secret.secretName)) {
      return `volume with secret.secretName="${secret.secretName ?? ''}" ${refusal} secret`;
    }
  }
  for (const [list, what] of [
    ['initContainers', 'init container'],
    ['containers', 'container'],
  ] as const) {
    for (const container of spec[list] ?? []) {
      const wrong = secretsOf(container).find(({ name }) => !allowed.has(name));
      if (wrong) {
        return `${what} ${container.name ?? ''} with ${wrong.where} referencing secret.secretName="${wrong.name}" ${refusal} secret`;
      }
    }
  }
  const pullSecrets = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  const index = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !pullSecrets.has(name));
  if (index < 0) return undefined;
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name ?? ''}" ${refusal} imagePullSecret`;
}

const secretsOf = (container: Container): { name: string; where: string }[] => [
  ...(container.env ?? []).flatMap(({ name, valueFrom }) =>
    valueFrom?.secretKeyRef ? [{ name: valueFrom.secretKeyRef.name ?? '', where: `envVar ${name ?? ''}` }] : [],
  ),
  ...(container.envFrom ?? []).flatMap(({ secretRef }) =>
    secretRef ? [{ name: secretRef.name ?? '', where: 'envFrom' }] : [],
  ),
];
