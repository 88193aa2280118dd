import {
  type Agent,
  type GitOpsDeployment,
  gitopsDeploymentKind,
  type ImageUpdater,
  imageUpdaterKind,
  type PrePullImage,
  prePullImageKind,
} from '@fairlead/api';
import { leaseType } from '@fairlead/apimachinery';
import { Informer, type Lease, type RoleStatus, readRoleStatus, roleLabel, withoutManagedFields } from '@fairlead/kube';
import type { Server } from '../../server.ts';
import type { ServerState } from '../../state/server-state.ts';
import { VisibleApplications } from './visible-applications.ts';

/**
 * What other roles write, from watches: agents, tenants' deployments, image updaters, pre-pulls, and what each role reports of itself. Nothing waits for
 * it: a cluster without one of these kinds has none of its objects.
 */
export class InstallationState {
  readonly deployments: Informer<GitOpsDeployment>;
  readonly imageUpdaters: Informer<ImageUpdater>;
  readonly prePullImages: Informer<PrePullImage>;
  readonly visible: VisibleApplications;
  readonly #roles: Informer<Lease>;
  readonly #state: ServerState;

  constructor(server: Server) {
    const { state, options, log } = server;
    this.visible = new VisibleApplications(server);
    const { client, namespace, clock } = state;
    const shared = { clock, random: options.random, log };
    this.#state = state;
    this.deployments = new Informer<GitOpsDeployment>(
      client,
      gitopsDeploymentKind.type,
      {},
      { ...shared, transform: lightDeployment },
    );
    this.deployments.addIndex('uid', ({ metadata }) => [metadata.uid ?? '']);
    const plain = { ...shared, transform: withoutManagedFields };
    this.imageUpdaters = new Informer<ImageUpdater>(client, imageUpdaterKind.type, {}, plain);
    this.prePullImages = new Informer<PrePullImage>(client, prePullImageKind.type, {}, plain);
    this.#roles = new Informer<Lease>(client, leaseType, { namespace, labelSelector: roleLabel }, plain);
  }

  /** Follows the cluster until the signal aborts. */
  run(signal: AbortSignal): void {
    for (const informer of [this.deployments, this.imageUpdaters, this.prePullImages, this.#roles]) {
      void informer.run(signal);
    }
  }

  get agents(): Informer<Agent> {
    return this.#state.agents;
  }

  agentNamed(name: string): Agent | undefined {
    return this.#state.agent(name);
  }

  deploymentWith(uid: string): GitOpsDeployment | undefined {
    return uid === '' ? undefined : this.deployments.byIndex('uid', uid)[0];
  }

  /** What processes last reported of their roles, including those that have ended without notice. Undefined before it is known. */
  roles(): RoleStatus[] | undefined {
    if (!this.#roles.hasSynced) return undefined;
    return this.#roles.list().flatMap((lease) => readRoleStatus(lease) ?? []);
  }
}

/** Without what the Application has too: there may be tens of thousands. */
function lightDeployment(deployment: GitOpsDeployment): GitOpsDeployment {
  const { status, ...rest } = withoutManagedFields(deployment);
  if (!status) return rest;
  const { resources: _, operationState: __, ...kept } = status;
  return { ...rest, status: kept };
}
