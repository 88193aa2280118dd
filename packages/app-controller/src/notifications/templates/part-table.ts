/**
 * The parts of a template that consist of templates for texts. A field that ends with `?` is left out when it is empty. With `keep`, an
 * empty text leaves what an earlier template of the same notification said.
 */
export interface TextPart {
  readonly fields: readonly string[];
  readonly keep?: boolean;
  /** Templates for fields that are not given. */
  readonly defaults?: Readonly<Record<string, string>>;
}

const words = (text: string): string[] => text.split(' ');
const teams = words('template? title? summary? text? themeColor? facts? sections? potentialAction?');
const commit = (field: string): string => `{{(call .repo.GetCommitMetadata .app.status.sync.revision).${field}}}`;

export const textParts: Readonly<Record<string, TextPart>> = {
  email: { fields: words('subject? body?'), keep: true },
  mattermost: { fields: ['attachments?'] },
  rocketchat: { fields: ['attachments?'] },
  teams: { fields: teams, keep: true },
  'teams-workflows': { fields: [...teams, 'adaptiveCard?'], keep: true },
  googlechat: { fields: words('cards cardsV2 threadKey?'), keep: true },
  pagerduty: { fields: words('title body? urgency? priorityId?') },
  pagerdutyv2: { fields: words('summary severity source component? group? class? url dedupKey?') },
  newrelic: {
    fields: words('revision changelog? description? user?'),
    defaults: {
      revision: '{{.app.status.operationState.syncResult.revision}}',
      changelog: commit('Message'),
      user: commit('Author'),
    },
  },
};
