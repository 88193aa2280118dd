/** A selector of labels as objects carry it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

type Labels = Readonly<Record<string, string>>;

/** An absent or empty selector matches all. An operator that is none throws, naming itself. */
export function matches({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          throw new Error(
            `operator ${JSON.stringify(operator)} of the selector is unknown: use In, NotIn, Exists or DoesNotExist`,
          );
      }
    })
  );
}
