import type { JsonObject } from '@fairlead/apimachinery';
import { mapOf, struct, text } from '../config/decode.ts';
import type { CompilePart } from './part.ts';

const fields = struct({ labels: mapOf(text), annotations: mapOf(text), generatorURL: text });
/** The time at which Alertmanager's alert starts is that of its delivery. */
export const startsAtField = 'startsAt';

/** Labels and annotations are rendered for every notification; the original keeps their first rendering. */
export const alertmanagerPart: CompilePart = (raw, compile, templateName) => {
  const given = fields(raw, 'alertmanager');
  const url = compile(given.generatorURL || '{{.app.spec.source.repoURL}}');
  const compiled = (texts: Record<string, string>) =>
    Object.entries(texts).map(([key, value]) => ({ key, value, render: compile(value) }));
  const [labels, annotations] = [compiled(given.labels), compiled(given.annotations)];
  return (notification, variables) => {
    const rendered = (texts: typeof labels): JsonObject =>
      Object.fromEntries(texts.map(({ key, value, render }) => [key, render(variables) || value]));
    const generatorURL = webAddress(url(variables));
    if (labels.length === 0) throw new Error('alertmanager: at least one label is required');
    notification.parts.alertmanager = {
      labels: { alertname: templateName, ...rendered(labels) },
      annotations: annotations.length > 0 ? rendered(annotations) : null,
      generatorURL,
      [startsAtField]: new Date().toISOString(),
    };
  };
};

/** `git@host:org/repo` as an address for a browser. */
const webAddress = (url: string): string =>
  url.startsWith('git@') ? `https://${url.slice(4).replace(':', '/')}` : url;
