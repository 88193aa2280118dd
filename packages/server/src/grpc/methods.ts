import { type Route, routes } from '../messages/routes.ts';

/** A method of a gRPC service, and the call that implements it. */
export interface GrpcMethod {
  readonly service: string;
  readonly name: string;
  /** `Project.List`. */
  readonly call: string;
  /** Names of messages. */
  readonly request: string;
  readonly response: string;
  readonly isServerStream: boolean;
  readonly isClientStream: boolean;
  /** Whether it changes something. */
  readonly isChange: boolean;
}

/** Old names of methods that have no path in REST, and the calls that replaced them. */
const oldNames: Readonly<Record<string, string>> = {
  'Repository.List': 'Repository.ListRepositories',
  'Repository.Create': 'Repository.CreateRepository',
  'Repository.Update': 'Repository.UpdateRepository',
  'Repository.Delete': 'Repository.DeleteRepository',
};

const clientStreams: ReadonlySet<string> = new Set(['Application.GetManifestsWithFiles']);

/** The settings are in the protobuf package of clusters; all other services have their own. */
const packageOf = (service: string): string => (service === 'Settings' ? 'cluster' : service.toLowerCase());

function methodOf(name: string, { call, request, response, isStream, method }: Route): GrpcMethod {
  const [service = '', short = ''] = name.split('.');
  return {
    service: `${packageOf(service)}.${service}Service`,
    name: short,
    call,
    request,
    response,
    isServerStream: isStream,
    isClientStream: clientStreams.has(call),
    isChange: method !== 'GET',
  };
}

const byCall = new Map(routes.map((route) => [route.call, route]));

export const grpcMethods: readonly GrpcMethod[] = [
  ...[...byCall].map(([name, route]) => methodOf(name, route)),
  ...Object.entries(oldNames).flatMap(([name, call]) => {
    const route = byCall.get(call);
    return route ? [methodOf(name, route)] : [];
  }),
];

export const pathOf = ({ service, name }: GrpcMethod): string => `/${service}/${name}`;
