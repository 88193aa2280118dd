import { type FieldError, fieldError, type KubeObject } from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import { type Route, storedText } from './resource-routes.ts';

interface Named {
  name: string;
}
interface ContainerStatus extends Named {
  state?: { waiting?: { reason?: string }; running?: object; terminated?: object };
  lastState?: { terminated?: object };
}
type Statuses = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';
type Pod = KubeObject & {
  spec: { nodeName?: string; containers: Named[]; initContainers?: Named[]; ephemeralContainers?: Named[] };
  status?: Partial<Record<Statuses, ContainerStatus[]>>;
};

export type PodLog = (namespace: string, name: string, query: URLSearchParams) => Promise<string> | string;

const podOf = (route: Route): Pod => JSON.parse(storedText(route, route.request.namespace, route.request.name)) as Pod;

/** The log of one container. A pod without a node has an empty one. */
export async function readLog(route: Route, podLog: PodLog | undefined): Promise<void> {
  const { request, exchange } = route;
  const problems = logOptionProblems(exchange.query);
  if (problems.length > 0) throw refuse.invalid({ group: '', kind: 'PodLogOptions' }, request.name, problems);
  const pod = podOf(route);
  const container = containerOf(pod, exchange.query.get('container') ?? '');
  if (!pod.spec.nodeName) return exchange.sendPlain(200, '', 'text/plain');
  if (!podLog) throw refuse.notSupported('pods/log');
  requireStarted(pod, container, exchange.query.get('previous') === 'true');
  exchange.sendPlain(200, await podLog(request.namespace, request.name, exchange.query), 'text/plain');
}

/** No program runs in a simulated pod, so exec is not possible; requests that a real server rejects get its error. */
export function refuseStream(route: Route): never {
  const pod = podOf(route);
  const { subresource } = route.request;
  if (subresource !== 'portforward') containerOf(pod, route.exchange.query.get('container') ?? '');
  if (!pod.spec.nodeName) throw refuse.badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  throw refuse.notSupported(`pods/${subresource}`);
}

function containerOf({ metadata, spec }: Pod, asked: string): string {
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  const names = all.map(({ name }) => name);
  if (asked) {
    if (!names.includes(asked)) throw refuse.badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
    return asked;
  }
  const [only, ...others] = spec.containers;
  if (only && others.length === 0) return only.name;
  throw refuse.badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`,
  );
}

const pullProblems: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/** The response of a kubelet for a container without output. */
function requireStarted({ metadata, status = {} }: Pod, container: string, previous: boolean): void {
  const found = (['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const)
    .flatMap((key) => status[key] ?? [])
    .find(({ name }) => name === container);
  const which = `container "${container}" in pod "${metadata.name}"`;
  if (!found) throw refuse.badRequest(`${which} is not available`);
  const { state = {}, lastState = {} } = found;
  if (previous && !lastState.terminated) throw refuse.badRequest(`previous terminated ${which} not found`);
  if (state.running || state.terminated || lastState.terminated) return;
  const reason = state.waiting?.reason ?? 'ContainerCreating';
  throw refuse.badRequest(`${which} is waiting to start: ${pullProblems[reason] ?? reason}`);
}

function logOptionProblems(query: URLSearchParams): FieldError[] {
  const problems: FieldError[] = [];
  const atLeast = (field: string, minimum: number, message: string): void => {
    const text = query.get(field);
    if (text && Number(text) < minimum) problems.push(fieldError.invalid(field, Number(text), message));
  };
  atLeast('tailLines', 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', 1, 'must be greater than 0');
  if (query.get('sinceSeconds') && query.get('sinceTime')) {
    problems.push(fieldError.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else atLeast('sinceSeconds', 1, 'must be greater than 0');
  return problems;
}
