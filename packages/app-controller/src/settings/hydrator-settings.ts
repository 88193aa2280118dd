import { defaultTemplates, type HydratorTemplates } from '../hydrator/hydrated-files.ts';
import type { SettingsReader } from './settings-reader.ts';

export interface HydratorSettings {
  readonly enabled: boolean;
  readonly author: { readonly name: string; readonly email: string };
  readonly templates: HydratorTemplates;
}

export const defaultHydratorSettings: HydratorSettings = {
  enabled: false,
  author: { name: 'Argo CD', email: 'argo-cd@example.com' },
  templates: defaultTemplates,
};

export function readHydratorSettings(settings: SettingsReader, command: SettingsReader): HydratorSettings {
  const { author, templates } = defaultHydratorSettings;
  return {
    enabled: command.flag('hydrator.enabled') ?? false,
    author: {
      name: settings.text('commit.author.name') || author.name,
      email: settings.text('commit.author.email') || author.email,
    },
    templates: {
      commitMessage: settings.text('sourceHydrator.commitMessageTemplate') || templates.commitMessage,
      readme: settings.text('sourceHydrator.readmeMessageTemplate') || templates.readme,
    },
  };
}
