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
}

export interface ResourceResponse {
  readonly uuid: string;
  readonly status: number;
  readonly body: string;
}

export interface LogRequest {
  readonly uuid: string;
  readonly namespace: string;
  readonly podName: string;
  readonly container?: string;
  readonly tailLines?: number;
}
