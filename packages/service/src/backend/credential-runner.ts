import { type GitOpsDeploymentRepositoryCredential, gitopsDeploymentRepositoryCredentialKind } from '@fairlead/api';
import { SourceError } from '@fairlead/source';
import { readSealed } from '../cipher.ts';
import type { DesiredCondition } from '../conditions.ts';
import { conditionType } from '../conditions.ts';
import { checkHost, readRepository } from '../deployments/read-spec.ts';
import { credentialPlace, type RepositoryLogin } from '../operation-controller/repository-secret.ts';
import { quotasOf } from '../settings.ts';
import { stableHash } from '../stable-hash.ts';
import {
  changing,
  countCredentials,
  credentialById,
  ensureTenant,
  failureOf,
  mappedNamed,
  operationOf,
  putCredential,
  removeCredential,
  repositoryCredentialType,
} from '../store/index.ts';
import { UserError } from '../user-error.ts';
import { ConnectionProblem, type ConnectionReason } from './connection-problem.ts';
import type { Context } from './context.ts';
import { tenantOf } from './deployment-runner.ts';
import { readSecret } from './read-secret.ts';
import { writeConditions } from './write-conditions.ts';

const secretTypeName = 'managed-gitops.redhat.com/repository-credential';

/** Reconciles the rows with the repository credential of a name, after trying it, and reports the result in its conditions. */
export async function runCredential(
  context: Context,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, instance, clock } = context;
  const credential = context.credentials.get(`${namespace}/${name}`);
  const isHere = credential !== undefined && !credential.metadata.deletionTimestamp;
  for (const { id, tenant } of await mappedNamed(db, repositoryCredentialType, namespace, name)) {
    if (isHere && id === credential.metadata.uid) continue;
    const now = new Date(clock.now());
    await changing(db, (tx) => removeCredential(tx, { id, tenant, instance, now }));
  }
  if (!isHere) return;
  const problem = (await open(context, credential, signal)) ?? (await operationProblem(context, credential));
  await writeConditions(
    context,
    gitopsDeploymentRepositoryCredentialKind.type,
    credential,
    conditions(problem),
    signal,
  );
  if (problem?.retriable) throw problem;
}

/** The repository was opened, and Argo CD could not be given the credentials. */
async function operationProblem(
  { db }: Context,
  { metadata }: GitOpsDeploymentRepositoryCredential,
): Promise<ConnectionProblem | undefined> {
  const failure = failureOf(await operationOf(db, 'RepositoryCredentials', metadata.uid ?? ''));
  return failure === undefined ? undefined : new ConnectionProblem('OperationFailed', failure);
}

/** Three conditions: whether an error occurred, whether the URL is valid, and whether the credentials are valid. */
export function conditions(problem: ConnectionProblem | undefined): DesiredCondition[] {
  if (!problem) {
    const upToDate = {
      reason: 'RepositoryCredentialUpToDate',
      message: 'the repository was opened with these credentials',
    };
    return [
      { type: conditionType.errorOccurred, status: 'False', ...upToDate },
      {
        type: conditionType.validRepositoryUrl,
        status: 'True',
        reason: 'ValidRepositoryUrl',
        message: 'the URL is sound',
      },
      { type: conditionType.validRepositoryCredential, status: 'True', ...upToDate },
    ];
  }
  const { reason, message } = problem;
  const badUrl = reason === 'InvalidRepositoryUrl' || reason === 'HostNotPermitted';
  const tried = reason === 'InvalidCredentials' || reason === 'RepositoryNotFound' || reason === 'UnknownHostKey';
  return [
    { type: conditionType.errorOccurred, status: 'True', reason, message },
    badUrl
      ? { type: conditionType.validRepositoryUrl, status: 'False', reason, message }
      : {
          type: conditionType.validRepositoryUrl,
          status: 'True',
          reason: 'ValidRepositoryUrl',
          message: 'the URL is sound',
        },
    { type: conditionType.validRepositoryCredential, status: tried ? 'False' : 'Unknown', reason, message },
  ];
}

async function open(
  context: Context,
  credential: GitOpsDeploymentRepositoryCredential,
  signal: AbortSignal,
): Promise<ConnectionProblem | undefined> {
  const { metadata, spec } = credential;
  const { namespace = '', uid = '' } = metadata;
  try {
    const url = readRepository(spec.repository, 'spec.repository');
    checkHost(url, context.settings.refusedHosts, 'spec.repository');
    const secret = await readSecret(context, { namespace, name: spec.secret, type: secretTypeName }, signal);
    const login = readLogin(secret.text, spec.secret);
    await context.probeRepository(url, { name: `${namespace}/${metadata.name}/${uid}`, ...login }, signal);
    await store(context, credential, url, login);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectionProblem) return error;
    if (error instanceof UserError) {
      const reason = error.reason === 'HostNotPermitted' ? error.reason : 'InvalidRepositoryUrl';
      return new ConnectionProblem(reason, error.message);
    }
    if (error instanceof SourceError) return new ConnectionProblem(reasonOf(error), error.message);
    throw error;
  }
}

function readLogin(text: (key: string) => string, name: string): RepositoryLogin {
  const [username, password, sshPrivateKey] = [text('username'), text('password'), text('sshPrivateKey')];
  if (sshPrivateKey !== '') return { sshPrivateKey };
  if (username !== '' && password !== '')
    return { username: username.trim(), password: password.replace(/[\r\n]+$/u, '') };
  throw new ConnectionProblem('InvalidCredentials', `the Secret ${name} needs username and password, or sshPrivateKey`);
}

function reasonOf({ reason }: SourceError): ConnectionReason {
  if (reason === 'AuthenticationFailed') return 'InvalidCredentials';
  if (reason === 'InvalidUrl' || reason === 'NotSupported') return 'InvalidRepositoryUrl';
  if (reason === 'UnknownHostKey' || reason === 'CertificateRefused' || reason === 'RepositoryNotFound') return reason;
  return 'HostUnreachable';
}

async function store(
  context: Context,
  { metadata }: GitOpsDeploymentRepositoryCredential,
  url: string,
  login: RepositoryLogin,
): Promise<void> {
  const { cipher, instance, clock, db } = context;
  const { namespace = '', uid = '', name } = metadata;
  const before = await credentialById(db, uid);
  // A row that cannot be read, because of another key or damage, is written again.
  const known = before && readSealed(cipher, before.secretData, credentialPlace(uid));
  if (before?.url === url && stableHash(known) === stableHash(login)) return;
  const tenant = tenantOf(context, namespace);
  const now = new Date(clock.now());
  await changing(db, async (tx) => {
    await ensureTenant(tx, tenant, instance, now);
    const { credentials: limit } = quotasOf(
      context.namespaces.get(namespace)?.metadata.annotations,
      context.settings.quotas,
    );
    if (!before && (await countCredentials(tx, tenant.uid)) >= limit) {
      throw new ConnectionProblem(
        'QuotaExceeded',
        `this namespace has reached its limit of ${limit} repository credentials: delete one, or ask your administrator for more`,
      );
    }
    const secretData = cipher.encrypt(JSON.stringify(login), credentialPlace(uid));
    const former = before && before.url !== url ? { formerUrl: before.url } : {};
    await putCredential(tx, { id: uid, name, tenant, url, ...former, secretData, instance, now });
  });
}
