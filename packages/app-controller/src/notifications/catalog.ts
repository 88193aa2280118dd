/** The triggers and templates that Argo CD's catalog has, under the same names and with the same results. */

const repositoryTitle = '{{if .app.spec.source}}"Repository"{{else if .app.spec.sources}}"Repositories"{{end}}';
/** The repositories of an Application as a JSON text, one in a line, each with a sign. */
const repositories = (sign: string, after = false): string => {
  const one = (url: string): string => (after ? `{{${url}}}${sign.trim()}` : `${sign}{{${url}}}`);
  const several = `{{range $index, $source := .app.spec.sources}}{{if $index}}\\n{{end}}${one('$source.repoURL')}{{end}}`;
  return `{{if .app.spec.source}}"${sign}{{.app.spec.source.repoURL}}"{{else if .app.spec.sources}}"${several}"{{end}}`;
};
const applicationUrl = '{{.context.argocdUrl}}/applications/{{.app.metadata.name}}';
const operationUrl = `${applicationUrl}?operation=true`;

type Field = readonly [title: string, value: string];
const quoted = ([title, value]: Field): Field => [JSON.stringify(title), JSON.stringify(value)];

function slackAttachments(color: string, fields: readonly Field[]): string {
  const field = ([title, value]: Field): string => `{"title": ${title}, "value": ${value}, "short": true}`;
  const repository: Field = [repositoryTitle, repositories(':arrow_heading_up: ')];
  const [first, ...rest] = fields.map(quoted);
  const all = [...(first ? [first] : []), repository, ...rest].map(field).join(', ');
  const conditions = `{{range .app.status.conditions}}, ${field(['{{.type | toJson}}', '{{.message | toJson}}'])}{{end}}`;
  return `[{"title": "{{.app.metadata.name}}", "title_link": "${applicationUrl}", "color": "${color}", "fields": [${all}${conditions}]}]`;
}

function teamsFacts(before: readonly Field[], after: readonly Field[]): string {
  const fact = ([name, value]: Field): string => `{"name": ${name}, "value": ${value}}`;
  const repository: Field = [repositoryTitle, repositories('⬆️ ')];
  const all = [...before.map(quoted), repository, ...after.map(quoted)].map(fact).join(', ');
  return `[${all}{{range .app.status.conditions}}, ${fact(['{{.type | toJson}}', '{{.message | toJson}}'])}{{end}}]`;
}

function teamsActions(name: string, url: string, signAfter: boolean): string {
  const action = (title: string, uri: string): string =>
    `{"@type": "OpenUri", "name": "${title}", "targets": [{"os": "default", "uri": ${uri}}]}`;
  return `[${action(name, JSON.stringify(url))}, ${action('Open Repository', repositories('⬆️ ', signAfter))}]`;
}

interface CatalogTemplate {
  readonly message: string;
  readonly subject: string;
  readonly title?: string;
  readonly slackColor: string;
  readonly themeColor?: string;
  readonly status: Field;
  readonly fields?: readonly Field[];
  readonly facts?: readonly Field[];
  readonly lastFacts?: readonly Field[];
  readonly action: readonly [name: string, url: string];
  readonly signAfter?: boolean;
}

const sync: Field = ['Sync Status', '{{.app.status.sync.status}}'];
const slackSign = (sign: string): string => `{{if eq .serviceType "slack"}}${sign}{{end}}`;
const operationDetails = `Sync operation details are available at: ${operationUrl} .\n`;
const applicationDetails = `Application details: ${applicationUrl}.\n`;

const detailed: Readonly<Record<string, CatalogTemplate>> = {
  'app-deployed': {
    message: `${slackSign(':white_check_mark:')} Application {{.app.metadata.name}} is now running new version of deployments manifests.\n`,
    subject: 'New version of an application {{.app.metadata.name}} is up and running.',
    slackColor: '#18be52',
    themeColor: '#000080',
    status: sync,
    fields: [['Revision', '{{.app.status.sync.revision}}']],
    lastFacts: [['Revision', '{{.app.status.sync.revision}}']],
    action: ['Operation Application', applicationUrl],
  },
  'app-health-degraded': {
    message: `${slackSign(':exclamation:')} Application {{.app.metadata.name}} has degraded.\n${applicationDetails}`,
    subject: 'Application {{.app.metadata.name}} has degraded.',
    slackColor: '#f4c030',
    themeColor: '#FF0000',
    status: ['Health Status', '{{.app.status.health.status}}'],
    action: ['Open Application', applicationUrl],
  },
  'app-sync-failed': {
    message: `${slackSign(':exclamation:')}  The sync operation of application {{.app.metadata.name}} has failed at {{.app.status.operationState.finishedAt}} with the following error: {{.app.status.operationState.message}}\n${operationDetails}`,
    subject: 'Failed to sync application {{.app.metadata.name}}.',
    slackColor: '#E96D76',
    themeColor: '#FF0000',
    status: sync,
    facts: [['Failed at', '{{.app.status.operationState.finishedAt}}']],
    action: ['Open Operation', operationUrl],
    signAfter: true,
  },
  'app-sync-running': {
    message: `The sync operation of application {{.app.metadata.name}} has started at {{.app.status.operationState.startedAt}}.\n${operationDetails}`,
    subject: 'Start syncing application {{.app.metadata.name}}.',
    slackColor: '#0DADEA',
    status: sync,
    facts: [['Started at', '{{.app.status.operationState.startedAt}}']],
    action: ['Open Operation', operationUrl],
  },
  'app-sync-status-unknown': {
    message: `${slackSign(':exclamation:')} Application {{.app.metadata.name}} sync is 'Unknown'.\n${applicationDetails}{{if ne .serviceType "slack"}}\n{{range $c := .app.status.conditions}}\n    * {{$c.message}}\n{{end}}\n{{end}}\n`,
    subject: "Application {{.app.metadata.name}} sync status is 'Unknown'",
    slackColor: '#E96D76',
    status: sync,
    action: ['Open Application', applicationUrl],
  },
  'app-sync-succeeded': {
    message: `${slackSign(':white_check_mark:')} Application {{.app.metadata.name}} has been successfully synced at {{.app.status.operationState.finishedAt}}.\n${operationDetails}`,
    subject: 'Application {{.app.metadata.name}} has been successfully synced.',
    title: 'Application {{.app.metadata.name}} has been successfully synced',
    slackColor: '#18be52',
    themeColor: '#000080',
    status: sync,
    facts: [['Synced at', '{{.app.status.operationState.finishedAt}}']],
    action: ['Operation Details', operationUrl],
  },
};

const templateOf = (one: CatalogTemplate): unknown => ({
  message: one.message,
  email: { subject: one.subject },
  slack: { attachments: slackAttachments(one.slackColor, [one.status, ...(one.fields ?? [])]) },
  teams: {
    ...(one.themeColor ? { themeColor: one.themeColor } : {}),
    title: one.title ?? one.subject,
    facts: teamsFacts([one.status, ...(one.facts ?? [])], one.lastFacts ?? []),
    potentialAction: teamsActions(...one.action, one.signAfter ?? false),
  },
});

const short = (message: string): unknown => ({ message, email: { subject: message }, teams: { title: message } });
const oncePerRevision = 'app.status.operationState?.syncResult?.revision';
const inPhase = (phases: string): string =>
  `app.status.operationState != nil and app.status.operationState.phase in [${phases}]`;
const lastHealth = 'time.Parse(app.status.health.lastTransitionTime)';

const triggers: readonly (readonly [name: string, when: string, description: string, oncePer: string])[] = [
  ['created', 'true', 'Application is created.', 'app.metadata.name'],
  ['deleted', 'app.metadata.deletionTimestamp != nil', 'Application is deleted.', 'app.metadata.name'],
  [
    'deployed',
    `${inPhase("'Succeeded'")} and app.status.health.status == 'Healthy' and (!${lastHealth}.Add(1 * time.Minute).Before(time.Parse(app.status.operationState.finishedAt)) or ${lastHealth}.Before(time.Parse(app.status.operationState.startedAt)))`,
    'Application is synced and healthy. Triggered once per commit.',
    oncePerRevision,
  ],
  ['health-degraded', "app.status.health.status == 'Degraded'", 'Application has degraded', oncePerRevision],
  ['sync-failed', inPhase("'Error', 'Failed'"), 'Application syncing has failed', oncePerRevision],
  ['sync-running', inPhase("'Running'"), 'Application is being synced', oncePerRevision],
  ['sync-status-unknown', "app.status.sync.status == 'Unknown'", "Application status is 'Unknown'", oncePerRevision],
  ['sync-succeeded', inPhase("'Succeeded'"), 'Application syncing has succeeded', oncePerRevision],
];

const entries: readonly (readonly [string, unknown])[] = [
  ['template.app-created', short('Application {{.app.metadata.name}} has been created.')],
  ['template.app-deleted', short('Application {{.app.metadata.name}} has been deleted.')],
  ...Object.entries(detailed).map(([name, one]) => [`template.${name}`, templateOf(one)] as const),
  ...triggers.map(
    ([name, when, description, oncePer]) =>
      [`trigger.on-${name}`, [{ when, description, send: [`app-${name}`], oncePer }]] as const,
  ),
];

/** The catalog as data of ConfigMap `argocd-notifications-cm`. */
export const notificationsCatalog = (): Record<string, string> =>
  Object.fromEntries(entries.map(([key, value]) => [key, JSON.stringify(value, null, 2)]));
