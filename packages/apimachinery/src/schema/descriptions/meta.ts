/** The texts of `kubectl explain` for the shared types. An unindented line describes a type, an indented one a field of it. */
export const metaDescriptions = `
ObjectMeta: Who an object is, and what the server and others keep about it.
  name: The name, unique among objects of its kind in its namespace. It cannot change.
  generateName: What a name starts with that the server completes where none is given.
  namespace: The namespace that the object is in. It cannot change.
  uid: Given by the server: another object under the same name has another one.
  resourceVersion: Changes with every write. Sent back with an update, it guards against overwriting what others wrote.
  generation: Counts the changes of what is desired.
  creationTimestamp: When the server created the object.
  deletionTimestamp: When the object was or will be deleted. Set by the server; the object goes once its finalizers are gone.
  deletionGracePeriodSeconds: How long the object has to end before it is removed.
  labels: Words to find and select objects by.
  annotations: Anything that tools want to keep with the object.
  ownerReferences: The objects that this one belongs to; it is collected when all of them are gone.
  finalizers: Names of those who must act before the object may go.
  managedFields: Which manager owns which fields.
  selfLink: No longer set.
OwnerReference: An object in the same namespace, or without one, that another belongs to.
  controller: Whether the owner is the one that manages the object.
  blockOwnerDeletion: Whether a foreground deletion of the owner waits for this object.
ListMeta: What a list knows besides its items.
  resourceVersion: The version of the whole, from which a watch can go on.
  continue: Names the next page; absent on the last.
  remainingItemCount: How many items are on the pages to come, where that is known.
LabelSelector: Chooses objects by their labels. All conditions must hold; an empty selector chooses every object.
  matchLabels: Labels that must have exactly these values.
  matchExpressions: Conditions on labels.
LabelSelectorRequirement: A condition on one label.
  key: The label.
  operator: In, NotIn, Exists or DoesNotExist.
  values: For In and NotIn: the values. Empty otherwise.
Condition: One aspect of the state of an object, and since when.
  type: Which aspect.
  status: True, False or Unknown.
  observedGeneration: The generation of the object that the condition is about.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word for programs.
  message: Why, in a sentence for people.
Status: The outcome of a request that does not answer with an object.
DeleteOptions: How an object is to be deleted.
`;

/** The descriptions of these fields in types without their own. */
export const commonFields: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of the API that the object is written in.',
  kind: 'What the object is.',
};

/** The descriptions of these fields of a kind. */
export const kindFields: Readonly<Record<string, string>> = {
  metadata: 'Who the object is, and what the server and others keep about it.',
  spec: 'What is desired.',
  status: 'What was observed last. Written by the system.',
  items: 'The objects of the list.',
};
