import { type Json, messageOf, toJson } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import type { Service } from '../services/service.ts';
import { createService } from '../services/service-types.ts';
import type { DefaultTriggers } from '../subscriptions/destinations.ts';
import { decodeSubscriptions, type GlobalSubscription } from '../subscriptions/global.ts';
import { type TemplateEntry, templateEntry } from '../templates/template.ts';
import { compileTrigger, type Trigger } from '../triggers/trigger.ts';
import { list, mapOf, text } from './decode.ts';
import { mergeLegacyConfig, type RawParts, readNotifiers } from './legacy.ts';
import { withSecrets } from './secret-references.ts';

/** A service, or why it cannot be used. */
export type ServiceEntry = { readonly type: string } & ({ readonly service: Service } | { readonly problem: string });

/** The notifications configuration of one namespace. What is invalid is left out with its problem; the rest works. */
export interface NotificationsConfig {
  readonly services: ReadonlyMap<string, ServiceEntry>;
  readonly triggers: ReadonlyMap<string, Trigger>;
  readonly templates: ReadonlyMap<string, TemplateEntry>;
  readonly subscriptions: readonly GlobalSubscription[];
  readonly defaultTriggers: DefaultTriggers;
  readonly context: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyMap<string, Buffer>;
  /** Triggers and templates as they are written, for `notifications trigger get`. */
  readonly written: { readonly triggers: ReadonlyMap<string, Json>; readonly templates: ReadonlyMap<string, Json> };
  /** What is invalid, each with its key. */
  readonly problems: readonly string[];
  /** What works and probably not as meant. */
  readonly warnings: readonly string[];
}

export interface ConfigSources {
  /** The data of ConfigMap `argocd-notifications-cm`. */
  readonly data: Readonly<Record<string, string>>;
  /** The data of Secret `argocd-notifications-secret`. */
  readonly secrets: ReadonlyMap<string, Buffer>;
  readonly now: () => number;
}

export function parseNotificationsConfig(sources: ConfigSources): NotificationsConfig {
  return new ConfigReader(sources).read();
}

class ConfigReader {
  readonly #sources: ConfigSources;
  readonly #problems: string[] = [];
  readonly #warnings: string[] = [];
  readonly #services = new Map<string, ServiceEntry>();
  readonly #byService = new Map<string, readonly string[]>();
  readonly #raw: RawParts = {
    triggers: new Map(),
    templates: new Map(),
    context: {},
    defaultTriggers: [],
    subscriptions: null,
  };

  constructor(sources: ConfigSources) {
    this.#sources = sources;
  }

  read(): NotificationsConfig {
    const { data, secrets, now } = this.#sources;
    this.#named(data);
    for (const [key, value] of Object.entries(data)) this.#key(key, value);
    this.#legacy(data['config.yaml'] ?? '', secrets.get('notifiers.yaml')?.toString() ?? '');
    const triggers = new Map<string, Trigger>();
    for (const [name, raw] of this.#raw.triggers)
      triggers.set(name, this.#reading(`trigger ${name}`, () => compileTrigger(raw)) ?? []);
    const templates = new Map<string, TemplateEntry>();
    for (const [name, raw] of this.#raw.templates) templates.set(name, this.#template(name, raw, now));
    this.#conditionProblems(triggers);
    return {
      services: this.#services,
      triggers,
      templates,
      subscriptions: this.#reading('subscriptions', () => decodeSubscriptions(this.#raw.subscriptions)) ?? [],
      defaultTriggers: { all: this.#raw.defaultTriggers, byService: this.#byService },
      context: this.#raw.context,
      secrets,
      written: { triggers: this.#raw.triggers, templates: this.#raw.templates },
      problems: this.#problems,
      warnings: this.#warnings,
    };
  }

  /** Runs what may fail; a failure is a problem of the part. */
  #reading<T>(part: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#problems.push(`${part}: ${messageOf(error)}`);
      return undefined;
    }
  }

  #named(data: Readonly<Record<string, string>>): void {
    const yaml = (key: string): unknown => readYaml(data[key] ?? '');
    const context = this.#reading('context', () => mapOf(text)(yaml('context'), 'context'));
    Object.assign(this.#raw.context, context ?? {});
    this.#raw.defaultTriggers.push(
      ...(this.#reading('defaultTriggers', () => list(text)(yaml('defaultTriggers'), '')) ?? []),
    );
    this.#raw.subscriptions = toJson(this.#reading('subscriptions', () => yaml('subscriptions')));
  }

  #key(key: string, value: string): void {
    const [kind = '', ...rest] = key.split('.');
    const name = rest.join('.');
    if (rest.length === 0) return;
    if (kind === 'template') this.#raw.templates.set(name, this.#written(`template ${name}`, value));
    else if (kind === 'trigger') this.#raw.triggers.set(name, this.#written(`trigger ${name}`, value));
    else if (kind === 'service') this.#service(key, rest, value);
    else if (kind === 'defaultTriggers') {
      const triggers = this.#reading(key, () => list(text)(readYaml(value), ''));
      if (triggers) this.#byService.set(name, triggers);
    }
  }

  #written = (part: string, value: string): Json => toJson(this.#reading(part, () => readYaml(value)));

  #service(key: string, [type = '', name = type, ...more]: readonly string[], value: string): void {
    if (more.length > 0) {
      this.#problems.push(`${key}: a key of a service is service.TYPE or service.TYPE.NAME`);
      return;
    }
    const missing = (reference: string): void => {
      this.#warnings.push(`${key}: the Secret has no key for ${reference}`);
    };
    this.#add(name, type, key, () => createService(type, withSecrets(readYaml(value), this.#sources.secrets, missing)));
  }

  #add(name: string, type: string, part: string, create: () => Service): void {
    const service = this.#reading(part, create);
    this.#services.set(name, service ? { type, service } : { type, problem: this.#problems.at(-1) ?? part });
  }

  #legacy(config: string, notifiers: string): void {
    if (notifiers !== '') {
      this.#warnings.push('notifiers.yaml in the Secret is deprecated: use keys service.TYPE of the ConfigMap');
      for (const { name, type, options } of this.#reading('notifiers.yaml', () => readNotifiers(notifiers)) ?? [])
        this.#add(name, type, `notifiers.yaml: ${name}`, () => createService(type, options));
    }
    if (config !== '') {
      this.#warnings.push('config.yaml in the ConfigMap is deprecated: use keys trigger.NAME and template.NAME');
      this.#reading('config.yaml', () => mergeLegacyConfig(config, this.#raw));
    }
  }

  #template(name: string, raw: Json, now: () => number): TemplateEntry {
    const entry = templateEntry(name, raw, now);
    if ('problem' in entry) this.#problems.push(`template ${name}: ${entry.problem}`);
    return entry;
  }

  #conditionProblems(triggers: ReadonlyMap<string, Trigger>): void {
    for (const [name, conditions] of triggers)
      for (const [i, { problem }] of conditions.entries())
        if (problem !== undefined) this.#problems.push(`trigger ${name}, condition ${i + 1}: ${problem}`);
  }
}
