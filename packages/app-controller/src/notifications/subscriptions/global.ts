import { parseLabelSelector, type Selector } from '@fairlead/apimachinery';
import { list, struct, text } from '../config/decode.ts';
import { type DefaultTriggers, type Destinations, parseRecipient } from './destinations.ts';

export interface GlobalSubscription {
  readonly recipients: readonly string[];
  readonly triggers: readonly string[];
  readonly selector: Selector;
}

const fields = list(struct({ recipients: list(text), triggers: list(text), selector: text }));

/** Reads `subscriptions` of the ConfigMap. Throws if a value or a selector is invalid. */
export const decodeSubscriptions = (raw: unknown): GlobalSubscription[] =>
  fields(raw, 'subscriptions').map(({ selector, ...rest }) => ({ ...rest, selector: parseLabelSelector(selector) }));

/** Adds the destinations of an Application with these labels. */
export function addGlobalSubscriptions(
  subscriptions: readonly GlobalSubscription[],
  labels: Readonly<Record<string, string>>,
  { all }: DefaultTriggers,
  to: Destinations,
): void {
  for (const { recipients, triggers, selector } of subscriptions) {
    if (!selector.matches(labels)) continue;
    for (const trigger of triggers.length === 0 ? all : triggers)
      for (const recipient of recipients) to.add(trigger, parseRecipient(recipient));
  }
}
