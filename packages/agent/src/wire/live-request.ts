/** A request to the Kubernetes API of an agent's cluster, through the agent. */
export interface ResourceRequest {
  readonly uuid: string;
  readonly method: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** The content of a write. */
  readonly body?: string;
}

export interface ResourceResponse {
  readonly uuid: string;
  readonly status: number;
  readonly body: string;
}

/** The log of a container, with the options of the Kubernetes API. */
export interface LogRequest {
  readonly uuid: string;
  readonly namespace: string;
  readonly podName: string;
  readonly container?: string;
  readonly follow?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly previous?: boolean;
  readonly limitBytes?: number;
}
