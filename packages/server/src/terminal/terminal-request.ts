/** Why a terminal is refused, as Argo CD's server answers. */
export class TerminalRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface TerminalRequest {
  readonly pod: string;
  readonly container: string;
  readonly application: string;
  readonly project: string;
  /** Of the pod. */
  readonly namespace: string;
  readonly applicationNamespace: string;
  readonly shell: string;
}

const isLabel = (text: string): boolean => /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u.test(text);
const isSubdomain = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/u.test(text);

/** The query of a request for a terminal, or why it is not valid. */
export function terminalRequest(query: URLSearchParams): TerminalRequest | TerminalRefused {
  const text = (name: string): string => query.get(name) ?? '';
  const request: TerminalRequest = {
    pod: text('pod'),
    container: text('container'),
    application: text('appName'),
    project: text('projectName'),
    namespace: text('namespace'),
    applicationNamespace: text('appNamespace'),
    shell: text('shell'),
  };
  const { pod, container, application, project, namespace, applicationNamespace } = request;
  if ([pod, container, application, project, namespace].includes('')) {
    return new TerminalRefused(400, 'Missing required parameters');
  }
  const checks: readonly (readonly [string, boolean])[] = [
    ['Pod name', isSubdomain(pod)],
    ['Container name', isLabel(container)],
    ['App name', isSubdomain(application)],
    ['Project name', isSubdomain(project)],
    ['Namespace name', isLabel(namespace)],
    ['App namespace name', isLabel(applicationNamespace)],
  ];
  const invalid = checks.find(([, isValid]) => !isValid);
  return invalid ? new TerminalRefused(400, `${invalid[0]} is not valid`) : request;
}
