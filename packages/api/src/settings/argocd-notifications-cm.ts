import { honoured, notifications, own, type Settings } from './setting.ts';

export const argocdNotificationsCm = {
  'service.*': honoured('yaml', '', notifications, 'a service, as `service.TYPE` or `service.TYPE.NAME`'),
  'template.*': honoured('yaml', '', notifications, 'a template of messages'),
  'trigger.*': honoured('yaml', '', notifications, 'a trigger: conditions, and the templates to send'),
  defaultTriggers: honoured('yaml', '', notifications, 'the triggers of subscriptions that name none'),
  'defaultTriggers.*': honoured('yaml', '', notifications, 'the same for the subscriptions of one service'),
  subscriptions: honoured(
    'yaml',
    '',
    notifications,
    'subscriptions of all Applications, or of those that a selector matches',
  ),
  context: honoured('yaml', '', notifications, 'variables of templates'),
  'config.yaml': own(
    honoured('yaml', '', notifications, 'triggers, templates and subscriptions in one value; deprecated'),
  ),
} as const satisfies Settings;
