import { type Application, type ApplicationSet, applicationSetKind } from '@fairlead/api';
import {
  decodeTyped,
  equalJson,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isObject,
  type Json,
  type JsonObject,
  keyOf,
  objectAt,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import { namespaceOf, projectOfSet, requireSet } from '../../applicationsets/set-access.ts';
import { setFromMessage, withoutNoGenerators } from '../../applicationsets/set-message.ts';
import { messageNamed } from '../../messages/message-types.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { unknown } from '../application/requests.ts';
import { withoutKind } from '../project.ts';

const { type } = applicationSetKind;

/** Create, change and delete ApplicationSets, and show which Applications one would generate. */
export const writeSetCalls = (server: Server): Calls => {
  const { client } = server.state;
  const sets = server.state.applicationSets;

  return {
    'ApplicationSet.Create': async (context, request) => {
      const message = payload(request, 'applicationset');
      refuseInvalid(message);
      const given = setFromMessage(message, namespaceOf(server, textAt(message, 'metadata', 'namespace')));
      requireCreate(server, context, given);
      if (request['dryRun'] === true) return withResources(message, await generated(server, message, given));
      try {
        const created = await client.create<ApplicationSet>(type, withoutNoGenerators(given));
        return withoutKind(await server.state.seen(sets, created));
      } catch (error) {
        if (!isAlreadyExists(error)) throw prefixed('error creating ApplicationSet', error);
      }
      const { namespace = '', name = '' } = given.metadata;
      const existing = await client.get<ApplicationSet>(type, { namespace, name });
      if (isSame(existing, given)) return withoutKind(existing);
      if (request['upsert'] !== true) {
        throw invalidArgument('existing ApplicationSet spec is different, use upsert flag to force update');
      }
      requireSet(server, context, 'update', given);
      if (projectOfSet(existing) !== projectOfSet(given)) requireSet(server, context, 'update', existing);
      return withoutKind(await store(server, existing, given));
    },

    'ApplicationSet.Delete': async (context, request) => {
      const name = textAt(request, 'name');
      const namespace = namespaceOf(server, textAt(request, 'appsetNamespace'));
      const set = await client.get<ApplicationSet>(type, { namespace, name }).catch((error: unknown) => {
        throw prefixed('error getting ApplicationSets', error);
      });
      requireSet(server, context, 'delete', set);
      await client.delete(type, { namespace, name }).catch((error: unknown) => {
        if (!isNotFound(error)) throw prefixed('error deleting ApplicationSets', error);
      });
      await server.state.gone(sets, keyOf(set), set.metadata.uid);
      return {};
    },

    'ApplicationSet.Generate': async (context, request) => {
      const message = payload(request, 'applicationSet');
      const namespace = namespaceOf(server, textAt(message, 'metadata', 'namespace'));
      refuseInvalid(message);
      const set = setFromMessage(message, namespace);
      requireCreate(server, context, set);
      return { applications: (await generated(server, message, set)).map(withoutKind) };
    },
  };
};

function payload(request: JsonObject, field: string): JsonObject {
  const message = objectAt(request, field);
  if (!message) throw unknown('error creating ApplicationSets: ApplicationSets is nil in request');
  return message;
}

function refuseInvalid(message: JsonObject): void {
  const set = setFromMessage(message, '');
  if (projectOfSet(set).includes('{{')) {
    throw unknown(
      'error validating ApplicationSets: the Argo CD API does not currently support creating ApplicationSets with templated `project` fields',
    );
  }
  if (set.spec.generators.some((generator) => Object.values(generator).every((value) => !isObject(value)))) {
    throw unknown(
      `error validating ApplicationSets: ApplicationSet ${set.metadata.name ?? ''} contains unrecognized generators`,
    );
  }
}

function requireCreate(server: Server, context: CallContext, set: ApplicationSet): void {
  requireSet(server, context, 'create', set);
  const project = projectOfSet(set);
  if (project === '') {
    throw unknown(
      `error checking create permissions for ApplicationSets ${set.metadata.name ?? ''} : error getting ApplicationSet's project "": resource name may not be empty`,
    );
  }
  if (!server.state.project(project)) {
    throw invalidArgument(`ApplicationSet references project ${project} which does not exist`);
  }
}

/** The Applications have the namespace that the request names, if any. */
async function generated(server: Server, message: JsonObject, set: ApplicationSet): Promise<Application[]> {
  const generator = server.options.setGenerator;
  if (!generator) throw new RpcError('Unimplemented', 'this server does not read sources');
  const applications = await generator.generate(set);
  if (textAt(message, 'metadata', 'namespace') !== '') return applications;
  return applications.map((application) => {
    const { namespace: _, ...metadata } = application.metadata;
    return { ...application, metadata };
  });
}

const withResources = (message: JsonObject, applications: readonly Application[]): object => ({
  ...message,
  status: {
    ...objectAt(message, 'status'),
    resources: applications.map(({ metadata: { name = '', namespace = '' } }) => ({ name, namespace, health: {} })),
  },
});

/** The spec of another object; its labels and annotations are added to those that are there. */
async function store(server: Server, current: ApplicationSet, given: ApplicationSet): Promise<ApplicationSet> {
  const { client, applicationSets } = server.state;
  for (let attempt = 1, at = current; ; attempt++) {
    const metadata = {
      ...at.metadata,
      labels: { ...at.metadata.labels, ...given.metadata.labels },
      annotations: { ...at.metadata.annotations, ...given.metadata.annotations },
      finalizers: given.metadata.finalizers ?? [],
    };
    try {
      const stored = await client.replace<ApplicationSet>(type, { ...at, metadata, spec: given.spec });
      return await server.state.seen(applicationSets, stored);
    } catch (error) {
      if (!isConflict(error) || attempt === 10) throw prefixed('error updating ApplicationSets', error);
      const { namespace = '', name = '' } = current.metadata;
      at = await client.get<ApplicationSet>(type, { namespace, name });
    }
  }
}

function isSame(one: ApplicationSet, other: ApplicationSet): boolean {
  const parts = ({ metadata }: ApplicationSet): Json =>
    toJson([metadata.labels ?? {}, metadata.annotations ?? {}, metadata.finalizers ?? []]);
  return equalJson(parts(one), parts(other)) && equalJson(shaped(one), shaped(other));
}

/** The spec with the fields that Go always has. */
function shaped({ spec }: ApplicationSet): Json {
  const value = toJson(spec);
  return isObject(value) ? decodeTyped(value, messageNamed('v1alpha1.ApplicationSetSpec')).object : value;
}

function prefixed(what: string, error: unknown): RpcError {
  const { code, message } = rpcErrorOf(error);
  return new RpcError(code, `${what}: ${message}`);
}
