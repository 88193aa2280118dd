import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, Clock, InformerFactory, Logger, Random } from '@fairlead/kube';

/** What a controller of the control plane is made of. One informer a kind serves them all. */
export interface ControllerParts {
  /** A client whose writes are booked to this controller (`deployment-controller`). */
  client(manager: string): ApiClient;
  readonly informers: InformerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Records events as a component (`deployment-controller`); it neither waits nor throws. */
  events(component: string): RecordEvent;
  /** All kinds that are served now, including custom resources; used by garbage collection and namespace deletion. */
  kinds(): readonly ServedKind[];
  /** Called when the served kinds change. */
  onKindsChanged(listener: () => void): void;
  /** The certificate authority of the API server, as PEM. */
  readonly ca: string;
  /** A token for a service account, good for as long as the secret that it is kept in. Absent: nobody signs. */
  issueSecretToken?(
    serviceAccount: { readonly namespace: string; readonly name: string; readonly uid: string },
    secret: { readonly name: string; readonly uid: string },
  ): string;
  /** How often autoscalers are reconciled; 15 s by default. */
  readonly autoscalerPeriodMs?: number;
}

/** `scale` is set where the kind has replicas that others may set. */
export type ServedKind = ResourceType & { readonly verbs: readonly string[]; readonly scale?: object };

export type RecordEvent = (object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** Works until the signal aborts. A `Controller` of `@fairlead/kube` is one. */
export interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

/** Makes a controller, or several that share their state; its informers are asked for here, before any of them starts. */
export type MakeController = (parts: ControllerParts) => Runnable | readonly Runnable[];
