import { agentOfApplication } from '@fairlead/agent';
import type { Application, AppProject } from '@fairlead/api';
import { isWatchedNamespace, syncWindowDecision } from '@fairlead/app-controller';
import {
  type Chapter,
  type ExplainInput,
  explain,
  headline,
  type Reason,
  statusTree,
} from '@fairlead/app-controller/explain';
import { clusterOf } from '../../calls/application/sync-windows.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { Explanation, ExplanationReason } from '../api/detail-shapes.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';
import type { InstallationState } from '../installation/installation-state.ts';
import { findApplication } from './find-application.ts';
import { liveTree } from './live-tree.ts';

/** Why an Application is as it is, as `fairlead app explain` says it. */
export async function explainApplication(
  server: Server,
  installation: InstallationState,
  context: CallContext,
  request: FleetRequest,
): Promise<Explanation> {
  const application = await findApplication(server, context, request);
  const { state } = server;
  const project = state.project(application.spec.project || 'default');
  const agent = agentOfApplication(application, state.namespace, (name) => installation.agentNamed(name));
  const watched = agent ? undefined : unwatched(server, application);
  const input: ExplainInput = {
    application,
    // The objects of an agent are in its cluster.
    tree: agent ? statusTree(application) : await liveTree(server, application, project, context.signal),
    now: state.clock.now(),
    ...(watched === undefined ? {} : { overlooked: watched }),
    ...(project ? { window: windowsOf(server, project, application) } : { projectMissing: true }),
  };
  return { summary: headline(application), reasons: explain(input).flatMap(reasonsOf) };
}

/** Why a sync window of the project blocks automated and manual syncs. */
export function windowsOf(
  server: Server,
  project: AppProject,
  application: Application,
): { automated?: string; manual?: string } {
  const about = { project, application, cluster: clusterOf(server, application), now: server.state.clock.now() };
  const [automated, manual] = [syncWindowDecision(about), syncWindowDecision({ ...about, manual: true })];
  return {
    ...(automated.open ? {} : { automated: automated.reason }),
    ...(manual.open ? {} : { manual: manual.reason }),
  };
}

/** The namespaces that controllers watch, if the Application is in none of them. */
function unwatched({ state }: Server, { metadata }: Application): string | undefined {
  const configured = (state.configMap('argocd-cmd-params-cm')['application.namespaces'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const settings = { namespace: state.namespace, applicationNamespaces: configured };
  if (isWatchedNamespace(settings, metadata.namespace ?? '')) return undefined;
  return [state.namespace, ...configured].join(', ');
}

/** The tree of reasons as a list; what to do is with the last reason of its subject. */
function reasonsOf({ title, reasons, next }: Chapter): ExplanationReason[] {
  const flat = reasons.flatMap((one) => withCauses(title, one, 0));
  return flat.map((one, i) => (i === flat.length - 1 ? { ...one, actions: [...next] } : one));
}

const withCauses = (subject: string, { text, because }: Reason, depth: number): ExplanationReason[] => [
  { subject, why: text, depth, actions: [] },
  ...because.flatMap((one) => withCauses(subject, one, depth + 1)),
];
