import type { Application, ApplicationSet, AppProject } from '@fairlead/api';
import type { Jq } from '@fairlead/engine';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import type { Events } from '../status/events.ts';
import type { GeneratorEnv } from './generators/generator.ts';
import type { RenderedApplications } from './template/rendered-applications.ts';

/** Everything that reconciling an ApplicationSet needs from outside. */
export interface ApplicationSetEnv extends GeneratorEnv {
  readonly client: ApiClient;
  readonly applications: ApplicationLookup;
  readonly project: (name: string) => AppProject | undefined;
  readonly jq: Pick<Jq, 'paths'>;
  /** What templates of an ApplicationSet gave before. */
  readonly rendered?: (set: ApplicationSet) => RenderedApplications;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ApplicationLookup {
  get(namespace: string, name: string): Application | undefined;
  /** Those that an ApplicationSet controls. */
  ownedBy(namespace: string, set: string): readonly Application[];
}
