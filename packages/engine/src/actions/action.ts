import type { JsonObject, Unstructured } from '@fairlead/apimachinery';

/** An action that can be run on an object. The fields are those of Argo CD's API. */
export interface ResourceAction {
  readonly name: string;
  /** Parameters that the caller may set. */
  readonly params?: readonly ActionParameter[];
  /** Offered, but without effect in the current state of the object. */
  readonly disabled?: boolean;
  /** Classes of Font Awesome. */
  readonly iconClass?: string;
  readonly displayName?: string;
}

export interface ActionParameter {
  readonly name: string;
  /** What a form should propose. */
  readonly default?: string;
}

/** What an action does to the cluster: patch the object that it was run on, or create another. */
export interface ImpactedObject {
  readonly operation: 'create' | 'patch';
  readonly object: Unstructured;
}

export interface ActionContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns the object as it should be. Throws an ActionError if it cannot run. */
export type Change = (object: Unstructured, context: ActionContext) => JsonObject;

/** Returns an object to create. */
export type Creation = (object: Unstructured, context: ActionContext) => JsonObject;

/** The built-in actions of a kind. */
export interface KindActions {
  /** The actions that are offered for an object. */
  discover(object: Unstructured): readonly ResourceAction[];
  readonly changes?: Readonly<Record<string, Change>>;
  readonly creations?: Readonly<Record<string, Creation>>;
}

/** By `group/Kind`. */
export type ActionTable = Readonly<Record<string, KindActions>>;

/** An action that does not exist, or that cannot run on this object or with these parameters. */
export class ActionError extends Error {}

/** No actions of this name exist for the kind. */
export class UnknownAction extends ActionError {}
