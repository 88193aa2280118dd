import { type Application, applicationKind } from '@fairlead/api';
import { equalJson, isAlreadyExists, type Json } from '@fairlead/apimachinery';
import type { HttpClient } from '@fairlead/kube';
import { parseManifests } from '@fairlead/render';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { whyUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import { keyFrom, keyOf, lookUp, nameOf } from '../../applications/selection/find-application.ts';
import { pair, readText } from '../../applications/spec/source-from-flags.ts';
import { specFromFlags } from '../../applications/spec/spec-from-flags.ts';
import { refuseProblems, refuseUnknownProject } from '../../applications/spec/validate-application.ts';
import { printObject } from '../../applications/tables/print-object.ts';
import { isAutomated } from '../../applications/tables/status-text.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appCreate } from '../../command-line/specs/app.ts';

type Flags = Call<typeof appCreate.flags>['flags'];

export const deletionFinalizer = 'resources-finalizer.argocd.argoproj.io';

/** `fairlead app create [NAME]` */
export const run: Handler<typeof appCreate> = async (call) => {
  const { flags, args, terminal } = call;
  const wanted = applicationFrom(args[0], flags);
  refuseProblems(wanted);
  if (flags['dry-run']) {
    terminal.write(printObject(wanted, flags.output === 'json' ? 'json' : 'yaml'));
    return exitCodes.ok;
  }
  return onCluster(call, async (client) => {
    if (flags.validate !== false) await refuseUnknownProject(client, wanted);
    const { made, how } = await createOrChange(client, wanted, flags.upsert ?? false);
    const name = nameOf(made);
    if (flags.output)
      terminal.write(flags.output === 'name' ? `application/${made.metadata.name}\n` : printObject(made, flags.output));
    else {
      const next = isAutomated(made)
        ? `fairlead app wait ${name} waits until it is there`
        : `fairlead app sync ${name} delivers it`;
      const why = await whyUnwatched(client, made);
      terminal.write(`${terminal.style.good('✔')} application ${name} ${how}${why ? '' : `: ${next}`}\n`);
      if (why) terminal.complain(`fairlead: ${why}`);
    }
    return exitCodes.ok;
  });
};

function applicationFrom(name: string | undefined, flags: Flags): Application {
  const base = flags.file === undefined ? undefined : fromFile(flags.file);
  const named = name ?? base?.metadata.name;
  if (!named) throw new CliError('the Application needs a name: fairlead app create NAME --repo URL --path DIR');
  const key = keyFrom(named, flags.namespace ?? base?.metadata.namespace);
  if (!base && flags.repo === undefined)
    throw new CliError('say where the manifests are: --repo URL and --path DIR, or --helm-chart NAME, or -f FILE');
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
    throw new CliError(
      `${file} has ${found.length} Applications: one file, one Application; kubectl apply takes several`,
    );
  return found[0] as unknown as Application;
}

async function createOrChange(
  client: HttpClient,
  wanted: Application,
  upsert: boolean,
): Promise<{ made: Application; how: string }> {
  try {
    return { made: await client.create(applicationKind.type, wanted), how: 'created' };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const there = await lookUp(client, keyOf(wanted));
  if (!there) return { made: await client.create(applicationKind.type, wanted), how: 'created' };
  if (equalJson(there.spec as Json, wanted.spec as Json))
    return { made: there, how: 'is there already, just like this' };
  if (!upsert)
    throw new CliError(
      `there is an Application ${nameOf(there)} already, and it is another: --upsert changes it, fairlead app set ${nameOf(there)} changes parts of it`,
    );
  const { labels, annotations } = wanted.metadata;
  const changed: Application = {
    ...there,
    metadata: {
      ...there.metadata,
      labels: { ...there.metadata.labels, ...labels },
      annotations: { ...there.metadata.annotations, ...annotations },
      ...(wanted.metadata.finalizers ? { finalizers: wanted.metadata.finalizers } : {}),
    },
    spec: wanted.spec,
  };
  return { made: await client.replace(applicationKind.type, changed), how: 'changed' };
}
