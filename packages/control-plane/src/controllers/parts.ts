import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient, Clock, InformerFactory, Logger, Random } from '@fairlead/kube';

/** The dependencies of a controller of the control plane. One informer per kind is shared by all. */
export interface ControllerParts {
  /** A client with this controller as field manager (`deployment-controller`). */
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
  /** A token for a service account, valid as long as the Secret that contains it. Absent: there is no signer. */
  issueSecretToken?(
    serviceAccount: { readonly namespace: string; readonly name: string; readonly uid: string },
    secret: { readonly name: string; readonly uid: string },
  ): string;
  /** How often autoscalers are reconciled; 15 s by default. */
  readonly autoscalerPeriodMs?: number;
}

/** `scale` is set if the kind has a scale subresource. */
export type ServedKind = ResourceType & { readonly verbs: readonly string[]; readonly scale?: object };

export type RecordEvent = (object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** Runs until the signal aborts. A `Controller` of `@fairlead/kube` is one. */
export interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a controller, or several that share their state; its informers are requested here, before any of them starts. */
export type MakeController = (parts: ControllerParts) => Runnable | readonly Runnable[];
