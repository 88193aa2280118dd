import { messageOf } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import { list, struct, text } from '../config/decode.ts';
import { type DefaultTriggers, type Destinations, parseRecipient } from './destinations.ts';

const prefix = 'notifications.argoproj.io';
const subscribePrefix = `${prefix}/subscribe.`;
const subscriptionsPrefix = `${prefix}/subscriptions`;
const legacySuffix = 'recipients.argocd-notifications.argoproj.io';
const subscriptionFields = list(
  struct({ trigger: list(text), destinations: list(struct({ service: text, recipients: list(text) })) }),
);

type Annotations = Readonly<Record<string, string>>;
type Subscribe = (trigger: string, service: string, recipients: readonly string[]) => void;

/** Adds what the annotations of an Application or a project subscribe to. Returns what is wrong with them. */
export function addSubscriptions(annotations: Annotations, defaults: DefaultTriggers, to: Destinations): string[] {
  const problems: string[] = [];
  const subscribe: Subscribe = (trigger, service, recipients) => {
    const triggers = trigger === '' ? (defaults.byService.get(service) ?? defaults.all) : [trigger];
    for (const recipient of recipients) for (const one of triggers) to.add(one, { service, recipient });
  };
  for (const [key, value] of Object.entries(annotations)) {
    if (key.startsWith(subscribePrefix)) subscribeBy(key.slice(subscribePrefix.length), value, subscribe);
    else if (key.startsWith(subscriptionsPrefix)) {
      const problem = subscribeByYaml(value, subscribe);
      if (problem !== undefined) problems.push(`annotation ${key}: ${problem}`);
    }
  }
  return problems;
}

/** `on-deployed.slack: a;b`, or `slack: a` for the default triggers. */
function subscribeBy(name: string, value: string, subscribe: Subscribe): void {
  const [first = '', second] = name.split('.');
  const recipients = value === '' ? [''] : value.split(';').flatMap((one) => one.trim() || []);
  if (second === undefined) subscribe('', first, recipients);
  else subscribe(first, second, recipients);
}

function subscribeByYaml(value: string, subscribe: Subscribe): string | undefined {
  if (value === '') return 'it is empty';
  try {
    for (const { trigger, destinations } of subscriptionFields(readYaml(value), '')) {
      for (const name of trigger.length === 0 ? [''] : trigger)
        for (const { service, recipients } of destinations) subscribe(name, service, recipients);
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Adds what the annotations of a project subscribe to in the form of the first releases: `on-x.recipients.…: slack:a, email:b`. */
export function addLegacySubscriptions(annotations: Annotations, defaults: DefaultTriggers, to: Destinations): void {
  for (const [key, value] of Object.entries(annotations)) {
    if (!key.endsWith(legacySuffix)) continue;
    const trigger = key.slice(0, -legacySuffix.length).replace(/\.+$/u, '');
    const named = trigger === '' ? defaults.all : [trigger];
    for (const text of value.split(',').flatMap((one) => one.trim() || [])) {
      const destination = parseRecipient(text);
      for (const name of defaults.byService.get(destination.service) ?? named) to.add(name, destination);
    }
  }
}
