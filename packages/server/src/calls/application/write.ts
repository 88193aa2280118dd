import { type Application, applicationKind } from '@fairlead/api';
import {
  equalJson,
  find,
  isAlreadyExists,
  isConflict,
  type Json,
  type JsonObject,
  objectAt,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import type { ApplicationAccess } from '../../applications/application-access.ts';
import { projectForApplication } from '../../applications/application-project.ts';
import { knownClusters } from '../../applications/destination.ts';
import { refuseRepeatedSourceNames, validateApplication } from '../../applications/validate-application.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { withoutKind } from '../project.ts';
import { patchedApplication } from './patch.ts';
import { applicationAccess, isEnabled, refOf, toObject, unknown } from './requests.ts';

const { type } = applicationKind;

/** Create and change Applications. */
export const writeCalls = (server: Server): Calls => {
  const { state } = server;
  const { client } = state;
  const access = (): ApplicationAccess => applicationAccess(server);
  const seen = (application: Application): Promise<Application> => state.seen(state.applications, application);

  /** Refuses an Application that may not be stored. `validate` also checks that its sources can be read. */
  const checked = async (context: CallContext, application: Application, validate: boolean): Promise<void> => {
    const name = application.metadata.name ?? '';
    if (name === '') throw unknown('error while validating and normalizing app: resource name may not be empty');
    refuseRepeatedSourceNames(application);
    const namespace = application.metadata.namespace ?? state.namespace;
    const current = await find(client.get<Application>(type, { namespace, name }));
    if (current && (current.spec.project || 'default') !== (application.spec.project || 'default')) {
      access().require(context.caller, 'create', application);
      access().require(context.caller, 'update', current);
    }
    const project = projectForApplication(application, state.namespace, (one) => state.project(one));
    validateApplication(application, project, knownClusters(state.secrets.list()));
    // What a hydrator renders is checked when it does.
    if (validate && !objectAt(application.spec, 'sourceHydrator')) {
      await server.options.sources?.check(application, project);
    }
  };

  /** Spec, labels, annotations and finalizers of another object, with those that are there or in their place. */
  const store = async (current: Application, given: Application, merge: boolean): Promise<Application> => {
    for (let attempt = 1, at = current; ; attempt++) {
      const { labels, annotations, finalizers } = given.metadata;
      const metadata = {
        ...at.metadata,
        labels: merge ? { ...at.metadata.labels, ...labels } : (labels ?? {}),
        annotations: merge ? { ...at.metadata.annotations, ...annotations } : (annotations ?? {}),
        finalizers: finalizers ?? [],
      };
      try {
        return await seen(
          await client.replace<Application>(type, { ...at, metadata, spec: normalizedSpec(given.spec) }),
        );
      } catch (error) {
        if (!isConflict(error) || attempt === 10) throw error;
        at = await client.get<Application>(type, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
      }
    }
  };

  const update = async (
    context: CallContext,
    given: Application,
    project: string,
    validate: boolean,
  ): Promise<Application> => {
    const { application } = await access().find(context.caller, 'update', {
      name: given.metadata.name ?? '',
      namespace: given.metadata.namespace ?? '',
      project,
    });
    await checked(context, given, validate);
    return store(application, given, false);
  };

  return {
    'Application.Create': async (context, request) => {
      const application = applicationFrom(objectAt(request, 'application') ?? {}, state.namespace);
      access().require(context.caller, 'create', application);
      projectForApplication(application, state.namespace, (name) => state.project(name));
      await checked(context, application, request['validate'] !== false);
      const namespace = application.metadata.namespace ?? '';
      if (!isEnabled(server, namespace)) throw unknown(`namespace '${namespace}' is not permitted`);
      const { operation: _, status: __, ...rest } = { operation: undefined, status: undefined, ...application };
      const given: Application = { ...rest, spec: normalizedSpec(application.spec) };
      try {
        return withoutKind(await seen(await client.create<Application>(type, given)));
      } catch (error) {
        if (!isAlreadyExists(error)) throw creationFailed(error);
      }
      const existing = await client.get<Application>(type, { namespace, name: given.metadata.name ?? '' });
      if (isSame(existing, given)) return withoutKind(existing);
      if (request['upsert'] !== true) {
        throw invalidArgument('existing application spec is different, use upsert flag to force update');
      }
      access().require(context.caller, 'update', given);
      return withoutKind(await store(existing, given, true));
    },

    'Application.Update': async (context, request) => {
      const application = applicationFrom(objectAt(request, 'application') ?? {}, state.namespace);
      access().require(context.caller, 'update', application);
      return withoutKind(await update(context, application, textAt(request, 'project'), request['validate'] !== false));
    },

    'Application.UpdateSpec': async (context, request) => {
      const ref = refOf(request);
      const { application } = await access().find(context.caller, 'update', ref);
      const given = applicationFrom(
        { ...toObject(application), spec: objectAt(request, 'spec') ?? {} },
        state.namespace,
      );
      return (await update(context, given, ref.project, request['validate'] !== false)).spec;
    },

    'Application.Patch': async (context, request) => {
      const ref = refOf(request);
      const { application } = await access().find(context.caller, 'get', ref);
      access().require(context.caller, 'update', application);
      const patched = patchedApplication(toObject(application), textAt(request, 'patch'), textAt(request, 'patchType'));
      return withoutKind(await update(context, applicationFrom(patched, state.namespace), ref.project, true));
    },
  };
};

/** Kubernetes says what is wrong with the object. */
const creationFailed = (error: unknown): RpcError => {
  const { code, message } = rpcErrorOf(error);
  return new RpcError(code, `error creating application: ${message}`);
};

/** The Application in a request, in the server's namespace unless it names another. Its shape was checked when it was decoded. */
export function applicationFrom(message: JsonObject, namespace: string): Application {
  const metadata = objectAt(message, 'metadata') ?? {};
  const application: unknown = {
    ...message,
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { ...metadata, name: textAt(metadata, 'name'), namespace: textAt(metadata, 'namespace') || namespace },
    spec: objectAt(message, 'spec') ?? {},
  };
  return application as Application;
}

/** The project is never empty in what is stored. */
const normalizedSpec = (spec: Application['spec']): Application['spec'] => ({
  ...spec,
  project: spec.project || 'default',
});

function isSame(one: Application, other: Application): boolean {
  const parts = ({ metadata, spec }: Application): Json =>
    toJson([spec, metadata.labels ?? {}, metadata.annotations ?? {}, metadata.finalizers ?? []]);
  return equalJson(parts(one), parts(other));
}
