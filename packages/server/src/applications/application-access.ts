import type { Application, AppProject } from '@fairlead/api';
import { rbacName } from '../accounts/can-i.ts';
import { type Caller, denialMessage, type Enforcer } from '../rbac/enforcer.ts';
import { notFound, permissionDenied, RpcError } from '../rpc/rpc-error.ts';

/** How a request names an Application. Empty fields were not given. */
export interface ApplicationRef {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
}

export interface ResourceRef {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface FoundApplication {
  readonly application: Application;
  readonly project: AppProject;
}

export interface ApplicationAccessOptions {
  readonly enforcer: Pick<Enforcer, 'allows'>;
  /** The namespace of the server. */
  readonly namespace: string;
  /** Whether Applications of another namespace are served. */
  isNamespaceEnabled(namespace: string): boolean;
  applicationNamed(namespace: string, name: string): Promise<Application | undefined>;
  /** Throws an RpcError if the Application may not use its project, or the project does not exist. */
  projectOf(application: Application): AppProject;
  /** `server.rbac.disableApplicationFineGrainedRBACInheritance`: rights on an Application give none on its resources. */
  readonly fineGrainedOnly: boolean;
  /** `server.rbac.rollback.enforce.enable`: otherwise a rollback needs the right to sync. */
  readonly enforceRollback: boolean;
}

/**
 * Finds Applications for requests that may see them. Who names no project cannot learn whether an Application exists: both cases are denied in the
 * same words. Who names one and has the right in it gets NotFound.
 */
export class ApplicationAccess {
  readonly #options: ApplicationAccessOptions;

  constructor(options: ApplicationAccessOptions) {
    this.#options = options;
  }

  /** How policies name an Application. */
  nameOf({ metadata, spec }: Application): string {
    return rbacName(this.#options.namespace, spec.project || 'default', metadata.namespace ?? '', metadata.name ?? '');
  }

  allows(caller: Caller, action: string, application: Application): boolean {
    const request = { resource: 'applications', action, object: this.nameOf(application) };
    return this.#options.enforcer.allows(caller, request);
  }

  /** For an Application that the caller may see: the denial says what is missing. */
  require(caller: Caller, action: string, application: Application): void {
    if (this.allows(caller, action, application)) return;
    const request = { resource: 'applications', action, object: this.nameOf(application) };
    throw permissionDenied(denialMessage(caller, request));
  }

  async find(caller: Caller, action: string, ref: ApplicationRef): Promise<FoundApplication> {
    const application = await this.findAlone(caller, action, ref);
    return { application, project: this.projectOf(application) };
  }

  /** Throws an RpcError if the Application may not use its project, or the project does not exist. */
  projectOf(application: Application): AppProject {
    return this.#options.projectOf(application);
  }

  /** Also an Application that may not use its project. */
  async findAlone(caller: Caller, action: string, ref: ApplicationRef): Promise<Application> {
    const { enforcer, namespace: own } = this.#options;
    const { name, project } = ref;
    const namespace = ref.namespace || own;
    const given = { resource: 'applications', action, object: rbacName(own, project, namespace, name) };
    const mayAsk = project === '' || enforcer.allows(caller, given);
    // Read in any case: the time of the answer must not tell whether it exists.
    const application = this.#options.isNamespaceEnabled(namespace)
      ? await this.#options.applicationNamed(namespace, name)
      : 'not permitted';
    if (!mayAsk || application === 'not permitted') throw permissionDenied();
    const refusal = project === '' ? permissionDenied() : notFound(`applications.argoproj.io "${name}" not found`);
    if (!application || !this.allows(caller, action, application)) throw refusal;
    if (project !== '' && (application.spec.project || 'default') !== project) throw refusal;
    return application;
  }

  /** Rights to update and delete may be limited to some resources: `delete/GROUP/KIND/NAMESPACE/NAME`. */
  async findForResource(
    caller: Caller,
    action: string,
    ref: ApplicationRef,
    { group, kind, namespace, name }: ResourceRef,
  ): Promise<FoundApplication> {
    if (action !== 'update' && action !== 'delete') return this.find(caller, action, ref);
    const fineGrained = `${action}/${group}/${kind}/${namespace}/${name}`;
    if (this.#options.fineGrainedOnly) return this.find(caller, fineGrained, ref);
    try {
      return await this.find(caller, action, ref);
    } catch (error) {
      if (error instanceof RpcError && error.code === 'PermissionDenied') return this.find(caller, fineGrained, ref);
      throw error;
    }
  }

  findForAction(caller: Caller, ref: ApplicationRef, resource: ResourceRef, action: string): Promise<FoundApplication> {
    return this.find(caller, `action/${resource.group}/${resource.kind}/${action}`, ref);
  }

  /** A sync with manifests of the client also needs the right to override. `check` runs before the right to sync is asked for. */
  async findToSync(
    caller: Caller,
    ref: ApplicationRef,
    { local, check }: { readonly local: boolean; check?(found: FoundApplication): void },
  ): Promise<FoundApplication> {
    const found = await this.find(caller, 'get', ref);
    check?.(found);
    this.require(caller, 'sync', found.application);
    if (local) this.require(caller, 'override', found.application);
    return found;
  }

  findToRollBack(caller: Caller, ref: ApplicationRef): Promise<FoundApplication> {
    return this.find(caller, this.#options.enforceRollback ? 'rollback' : 'sync', ref);
  }

  async findToDelete(caller: Caller, ref: ApplicationRef): Promise<FoundApplication> {
    const found = await this.find(caller, 'get', ref);
    this.require(caller, 'delete', found.application);
    return found;
  }
}
