/** A pull or merge request, before it is opened anywhere. */
export interface PullRequest {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly labels: readonly string[];
}

const maxTitle = 255;
const maxBody = 65_536;
const cut = (text: string, length: number): string => {
  const letters = [...text];
  return letters.length > length ? letters.slice(0, length).join('') : text;
};

/** The first line of the commit message is the title, the rest the text. */
export function pullRequestFor(input: {
  readonly namespace: string;
  readonly application: string;
  readonly base: string;
  readonly head: string;
  readonly commitMessage: string;
  readonly labels: readonly string[];
}): PullRequest {
  const { namespace, application, base, head, commitMessage, labels } = input;
  const newline = commitMessage.indexOf('\n');
  const first = (newline < 0 ? commitMessage : commitMessage.slice(0, newline)).trim();
  const rest = newline < 0 ? '' : commitMessage.slice(newline + 1).trim();
  const name = `${namespace}/${application}`;
  return {
    title: cut(first || `chore: update images for ${name}`, maxTitle),
    body: cut(commitMessage === '' ? `New images for the application ${name}.` : rest, maxBody),
    head,
    base,
    labels,
  };
}
