import type { JsonObject } from '@fairlead/apimachinery';

/** The recipient of a notification: `{ service: 'slack', recipient: 'my-channel' }`. */
export interface Destination {
  readonly service: string;
  readonly recipient: string;
}

/** A rendered notification. */
export interface Notification {
  message: string;
  /** What templates say for single services, by the key in the template; each in the form that `notificationJson` prints. */
  readonly parts: Record<string, JsonObject>;
  /** Where the GitHub part applies. */
  github?: { readonly repoURL: string; readonly revision: string };
}

export const emptyNotification = (): Notification => ({ message: '', parts: {} });

/** As `fairlead notifications template notify` prints it. */
export const notificationJson = ({ message, parts }: Notification): JsonObject => ({
  ...(message === '' ? {} : { message }),
  ...parts,
});
