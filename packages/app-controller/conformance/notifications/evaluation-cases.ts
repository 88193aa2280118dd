import { isObject, type JsonObject, listAt, objectAt, stringsAt, textAt } from '@fairlead/apimachinery';
import { type NotificationsConfig, parseNotificationsConfig } from '../../src/notifications/config/parse-config.ts';
import { commitValue } from '../../src/notifications/environment/commit-value.ts';
import { type DataRequest, LoadedData } from '../../src/notifications/environment/missing-data.ts';
import { type VariableSources, variablesOf } from '../../src/notifications/environment/variables.ts';
import { notificationJson } from '../../src/notifications/templates/notification.ts';
import { renderNotification } from '../../src/notifications/templates/template.ts';
import { runTrigger } from '../../src/notifications/triggers/trigger.ts';
import { stringify } from './json-text.ts';
import { withBuffers } from './secrets.ts';

const now = (): number => Date.now();

/** The configuration of a case with these keys added. */
const configOf = (one: JsonObject, added: Readonly<Record<string, string>>): NotificationsConfig =>
  parseNotificationsConfig({
    data: { ...stringsAt(one, 'cm'), ...added },
    secrets: withBuffers(stringsAt(one, 'secret')),
    now,
  });

function sourcesOf(one: JsonObject, { context, secrets }: NotificationsConfig): VariableSources {
  const load = async (request: DataRequest) => {
    if (request.kind === 'details') throw new Error('no application details');
    const commit = objectAt(one, 'commits', request.revision);
    if (!commit) throw new Error(`commit not found: ${request.revision}`);
    return commitValue({
      message: textAt(commit, 'Message'),
      author: textAt(commit, 'Author'),
      date: textAt(commit, 'Date'),
      tags: listAt(commit, 'Tags').map(String),
    });
  };
  const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...objectAt(one, 'application') };
  return { application, project: one.project, context, secrets, data: new LoadedData(load), now };
}

/** `expressions.json`, `once-per.json`: one line for each expression whose result differs. */
export async function expressionDifferences(one: JsonObject): Promise<string[]> {
  const lines: string[] = [];
  for (const expected of listAt(one, 'expressions').filter(isObject)) {
    const condition = { when: textAt(expected, 'when'), oncePer: textAt(expected, 'oncePer'), send: [] };
    const config = configOf(one, { 'trigger.x': JSON.stringify([condition]) });
    const sources = sourcesOf(one, config);
    const [result] = await sources.data.evaluate(() =>
      runTrigger(config.triggers.get('x') ?? [], variablesOf(sources), now),
    );
    const isInvalid = config.problems.length > 0;
    const actual = {
      error: isInvalid ? 'compile' : (result?.errors.length ?? 0) > 0 ? 'run' : 'none',
      triggered: isInvalid ? undefined : result?.triggered,
      key: isInvalid ? undefined : result?.key,
      oncePerValue: result?.oncePer || undefined,
    };
    const target = {
      error: expected.compileError ? 'compile' : expected.runtimeError ? 'run' : 'none',
      triggered: expected.triggered,
      key: expected.key,
      oncePerValue: expected.oncePerValue,
    };
    if (stringify(actual) !== stringify(target))
      lines.push(
        `${condition.when} / ${condition.oncePer}: expected ${stringify(target)}, got ${stringify(actual)} ${result?.errors.join()} ${config.problems.join()}`,
      );
  }
  return lines;
}

/** `template-functions.json`, `template-services.json`: one line for each template whose result differs. */
export async function templateDifferences(one: JsonObject): Promise<string[]> {
  const lines: string[] = [];
  for (const expected of listAt(one, 'templates').filter(isObject)) {
    const config = configOf(
      one,
      expected.template === undefined ? {} : { 'template.t': JSON.stringify(expected.template) },
    );
    const destination = {
      service: textAt(expected, 'destination', 'service') || 'slack',
      recipient: expected.destination ? textAt(expected, 'destination', 'recipient') : 'my-channel',
    };
    const names = expected.send ? listAt(expected, 'send').map(String) : ['t'];
    const sources = sourcesOf(one, config);
    const render = () =>
      notificationJson(renderNotification(config.templates, names, variablesOf(sources, destination)));
    const outcome = await sources.data.evaluate(render).then(
      (notification) => ({ notification }),
      (error: unknown) => ({ error: String(error) }),
    );
    const isError = expected.error !== undefined || expected.parseError !== undefined;
    const fits = isError
      ? 'error' in outcome && config.problems.length > 0 === (expected.parseError !== undefined)
      : 'notification' in outcome && stringify(masked(outcome.notification)) === stringify(expected.notification);
    if (!fits) lines.push(`${stringify(expected)}: got ${stringify(outcome)} ${config.problems.join()}`);
  }
  return lines;
}

function masked(notification: JsonObject): JsonObject {
  const alert = objectAt(notification, 'alertmanager');
  return alert ? { ...notification, alertmanager: { ...alert, startsAt: '<time>' } } : notification;
}

/** `config.json`: the names that are found, or that there is an error. */
export function configDifferences(one: JsonObject): string[] {
  const config = configOf(one, {});
  const expected = objectAt(one, 'expected') ?? {};
  const isFound = (problem: string): boolean => config.problems.length > 0 === (problem !== '');
  if (!isFound(textAt(expected, 'error')))
    return [`expected ${stringify(expected)}, got problems ${stringify(config.problems)}`];
  if (expected.error !== undefined) return [];
  const names = (map: ReadonlyMap<string, unknown>) => (map.size > 0 ? [...map.keys()].sort() : undefined);
  const actual = {
    services: names(config.services),
    triggers: names(config.triggers),
    templates: names(config.templates),
    defaultTriggers: config.defaultTriggers.all.length > 0 ? config.defaultTriggers.all : undefined,
    serviceDefaultTriggers:
      config.defaultTriggers.byService.size > 0 ? Object.fromEntries(config.defaultTriggers.byService) : undefined,
  };
  return stringify(actual) === stringify(expected) ? [] : [`expected ${stringify(expected)}, got ${stringify(actual)}`];
}
