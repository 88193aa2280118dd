import type { Application, ApplicationSet, AppProject } from '@fairlead/api';
import type { NotificationsConfig } from '../config/parse-config.ts';
import type { LoadedData } from '../environment/missing-data.ts';
import { type VariableSources, variablesOf } from '../environment/variables.ts';
import { addLegacySubscriptions, addSubscriptions } from '../subscriptions/annotations.ts';
import { Destinations } from '../subscriptions/destinations.ts';
import { addGlobalSubscriptions } from '../subscriptions/global.ts';
import type { Destination } from '../templates/notification.ts';
import { runTrigger } from '../triggers/trigger.ts';
import { markKey } from './marks.ts';

/** A notification that a condition asks for. */
export interface Planned {
  /** The key of its mark. */
  readonly key: string;
  readonly trigger: string;
  readonly templates: readonly string[];
  readonly destination: Destination;
}

/** What the present state of an Application asks for. */
export interface Plan {
  readonly planned: readonly Planned[];
  /** Marks of conditions that are false. */
  readonly cleared: readonly string[];
  readonly evaluated: readonly { readonly trigger: string; readonly triggered: boolean }[];
  /** What could not be evaluated. */
  readonly problems: readonly string[];
}

export interface PlanInput {
  readonly application: Application;
  readonly project: AppProject | undefined;
  /** The ApplicationSet that the Application belongs to. */
  readonly set?: ApplicationSet | undefined;
  readonly config: NotificationsConfig;
  /** Part of the marks, if the configuration is that of a self-service namespace. */
  readonly configNamespace?: string | undefined;
  readonly sources: VariableSources;
  readonly data: LoadedData;
  readonly now: () => number;
}

/** The destinations of an Application: by the ConfigMap, and by the annotations of itself, its ApplicationSet and its project. */
export function destinationsOf({
  application,
  project,
  set,
  config,
}: Pick<PlanInput, 'application' | 'project' | 'set' | 'config'>) {
  const destinations = new Destinations();
  const { defaultTriggers } = config;
  const { labels = {}, annotations = {} } = application.metadata;
  addGlobalSubscriptions(config.subscriptions, labels, defaultTriggers, destinations);
  const problems = addSubscriptions(annotations, defaultTriggers, destinations);
  problems.push(...addSubscriptions(set?.metadata.annotations ?? {}, defaultTriggers, destinations));
  const inherited = project?.metadata.annotations ?? {};
  problems.push(...addSubscriptions(inherited, defaultTriggers, destinations));
  addLegacySubscriptions(inherited, defaultTriggers, destinations);
  return { destinations: destinations.entries(), problems };
}

export async function planNotifications(input: PlanInput): Promise<Plan> {
  const { config, configNamespace, now, data } = input;
  const { destinations, problems } = destinationsOf(input);
  const [planned, cleared, evaluated]: [Planned[], string[], { trigger: string; triggered: boolean }[]] = [[], [], []];
  for (const [trigger, recipients] of destinations) {
    const conditions = config.triggers.get(trigger);
    if (!conditions) {
      problems.push(`trigger ${trigger} is not configured`);
      continue;
    }
    const results = await data.evaluate(() => runTrigger(conditions, variablesOf(input.sources), now));
    for (const result of results) {
      const { triggered, templates, errors } = result;
      problems.push(...errors.map((error) => `trigger ${trigger}: ${error}`));
      evaluated.push({ trigger, triggered });
      for (const destination of recipients) {
        const key = markKey(trigger, result, destination, configNamespace);
        if (triggered) planned.push({ key, trigger, templates, destination });
        else cleared.push(key);
      }
    }
  }
  return { planned, cleared, evaluated, problems };
}
