import type { Application, AppProject } from '@fairlead/api';
import type { Json, JsonObject } from '@fairlead/apimachinery';
import { GoMap } from '@fairlead/render/go-template';
import type { NotificationsConfig } from './config/parse-config.ts';
import { type LoadData, LoadedData } from './environment/missing-data.ts';
import { variablesOf } from './environment/variables.ts';
import { type Destination, emptyNotification, type Notification, notificationJson } from './templates/notification.ts';
import { partCompilers } from './templates/parts.ts';
import { renderNotification } from './templates/template.ts';
import { type ConditionResult, runTrigger } from './triggers/trigger.ts';

/** The Application that a trigger or a template is tried with. */
export interface PreviewSubject {
  readonly application: Application | JsonObject;
  readonly project: AppProject | undefined;
  readonly load: LoadData;
  readonly now: () => number;
}

const sourcesOf = ({ context, secrets }: NotificationsConfig, { application, project, load, now }: PreviewSubject) => ({
  application,
  project,
  context,
  secrets,
  data: new LoadedData(load),
  now,
});

/** The result of each condition of a trigger for an Application. Undefined if there is no such trigger. */
export async function tryTrigger(
  config: NotificationsConfig,
  name: string,
  subject: PreviewSubject,
): Promise<readonly (ConditionResult & { readonly when: string })[] | undefined> {
  const trigger = config.triggers.get(name);
  if (!trigger) return undefined;
  const sources = sourcesOf(config, subject);
  const results = await sources.data.evaluate(() => runTrigger(trigger, variablesOf(sources), subject.now));
  return results.map((result, i) => ({ ...result, when: trigger[i]?.spec.when ?? '' }));
}

/** What a template says about an Application to a destination. Rejects if it fails. */
export async function tryTemplate(
  config: NotificationsConfig,
  name: string,
  destination: Destination,
  subject: PreviewSubject,
): Promise<Notification> {
  const sources = sourcesOf(config, subject);
  return sources.data.evaluate(() => renderNotification(config.templates, [name], variablesOf(sources, destination)));
}

/** A template as it is written, in the form of a notification. Undefined if it is invalid. */
export function writtenTemplate(raw: Json): JsonObject | undefined {
  const notification = emptyNotification();
  const given: JsonObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {};
  try {
    notification.message = given.message === undefined || given.message === null ? '' : String(given.message);
    for (const [key, compilePart] of Object.entries(partCompilers)) {
      const part = given[key];
      if (part !== undefined && part !== null) compilePart(part, (text) => () => text, '')(notification, new GoMap());
    }
    return notificationJson(notification);
  } catch {
    return undefined;
  }
}
