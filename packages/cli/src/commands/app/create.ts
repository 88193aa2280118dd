import type { Application } from '@fairlead/api';
import { equalJson, isForbidden, toJson } from '@fairlead/apimachinery';
import { parseManifests } from '@fairlead/render';
import { whyUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import { type ApplicationKey, keyFrom, keyOf, lookUp, nameOf } from '../../applications/selection/find-application.ts';
import { pair, readText } from '../../applications/spec/source-from-flags.ts';
import { specFromFlags } from '../../applications/spec/spec-from-flags.ts';
import { refuseProblems, refuseUnknownProject } from '../../applications/spec/validate-application.ts';
import { printObject } from '../../applications/tables/print-object.ts';
import { isAutomated } from '../../applications/tables/status-text.ts';
import type { Backend, ObjectClient } from '../../backend/backend.ts';
import { deletionFinalizer } from '../../backend/deletion-finalizer.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appCreate } from '../../command-line/specs/app.ts';

type Flags = Call<typeof appCreate.flags>['flags'];

/** `fairlead app create [NAME]` */
export const run: Handler<typeof appCreate> = async (call) => {
  const { flags, args, terminal } = call;
  const desired = applicationFrom(args[0], flags);
  refuseProblems(desired);
  if (flags['dry-run']) {
    terminal.write(printObject(desired, flags.output === 'json' ? 'json' : 'yaml'));
    return exitCodes.ok;
  }
  return withBackend(call, async (backend) => {
    const { client } = backend;
    if (isVerified(flags)) await refuseUnknownProject(client, desired);
    const { made, how } = await createOrChange(backend, desired, flags);
    const name = nameOf(made);
    if (flags.output)
      terminal.write(flags.output === 'name' ? `application/${made.metadata.name}\n` : printObject(made, flags.output));
    else {
      const next = isAutomated(made)
        ? `fairlead app wait ${name} waits until it is deployed`
        : `fairlead app sync ${name} deploys it`;
      const why = await whyUnwatched(client, made);
      terminal.write(`${terminal.style.good('✔')} application ${name} ${how}${why ? '' : `: ${next}`}\n`);
      if (why) terminal.writeError(`fairlead: ${why}`);
    }
    return exitCodes.ok;
  });
};

/** `--no-validate` is the flag of argocd. */
const isVerified = ({ verify, validate }: Flags): boolean => verify !== false && validate !== false;

function applicationFrom(name: string | undefined, flags: Flags): Application {
  const base = flags.file === undefined ? undefined : fromFile(flags.file);
  const named = name ?? base?.metadata.name;
  if (!named) throw new CliError('missing name: fairlead app create NAME --repo URL --path DIR');
  const key = keyFrom(named, flags.namespace ?? base?.metadata.namespace);
  if (!base && flags.repo === undefined)
    throw new CliError('missing source: add --repo URL with --path DIR or --helm-chart NAME, or -f FILE');
  const { source, ...rest } = base?.spec ?? { project: '', destination: {} };
  const spec = specFromFlags({ ...rest, ...(source ? { source } : {}) }, flags, base?.spec.sources ? 1 : undefined);
  const { labels, annotations, finalizers = [] } = base?.metadata ?? { name: named };
  const pairs = (flag: string, texts: readonly string[] = []) =>
    Object.fromEntries(texts.map((text) => pair(flag, text)));
  const allLabels = { ...labels, ...pairs('label', flags.label) };
  const allAnnotations = { ...annotations, ...pairs('annotation', flags.annotation) };
  const allFinalizers = flags['set-finalizer'] ? [...new Set([...finalizers, deletionFinalizer])] : finalizers;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...key,
      ...(Object.keys(allLabels).length > 0 ? { labels: allLabels } : {}),
      ...(Object.keys(allAnnotations).length > 0 ? { annotations: allAnnotations } : {}),
      ...(allFinalizers.length > 0 ? { finalizers: allFinalizers } : {}),
    },
    spec,
  };
}

function fromFile(file: string): Application {
  const text = readText('file', file);
  const objects = parseManifests(file, text).map(({ object }) => object);
  const found = objects.filter(({ kind }) => kind === 'Application');
  if (found.length !== 1)
    throw new CliError(`${file} contains ${found.length} Applications: use one per file, or kubectl apply`);
  return found[0] as unknown as Application;
}

/** Undefined also for who may not read it: the write decides then. */
async function readable(client: ObjectClient, key: ApplicationKey): Promise<Application | undefined> {
  try {
    return await lookUp(client, key);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

async function createOrChange(
  backend: Backend,
  desired: Application,
  flags: Flags,
): Promise<{ made: Application; how: string }> {
  const { client } = backend;
  const verify = isVerified(flags);
  const existing = await readable(client, keyOf(desired));
  if (!existing) return { made: await backend.create(desired, { verify }), how: 'created' };
  if (equalJson(toJson(existing.spec), toJson(desired.spec)))
    return { made: existing, how: 'already exists, unchanged' };
  if (!flags.upsert)
    throw new CliError(
      `Application ${nameOf(existing)} already exists and differs: --upsert updates it, fairlead app set ${nameOf(existing)} changes single fields`,
    );
  const { labels, annotations } = desired.metadata;
  const changed: Application = {
    ...existing,
    metadata: {
      ...existing.metadata,
      labels: { ...existing.metadata.labels, ...labels },
      annotations: { ...existing.metadata.annotations, ...annotations },
      ...(desired.metadata.finalizers ? { finalizers: desired.metadata.finalizers } : {}),
    },
    spec: desired.spec,
  };
  return { made: await backend.update(changed, { verify }), how: 'changed' };
}
