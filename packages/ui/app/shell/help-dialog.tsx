import { Dialog } from '../design/dialog.tsx';
import { t } from '../messages/index.ts';

const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['Ctrl K', '⌘ K'], t.help.palette],
  [['/'], t.help.search],
  [['j', '↓'], t.help.next],
  [['k', '↑'], t.help.previous],
  [['Enter'], t.help.openRow],
  [['x'], t.help.select],
  [['Esc'], t.help.escape],
  [['?'], t.help.help],
];

export const HelpDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={t.help.title} onClose={onClose}>
    <dl className="facts shortcuts">
      {rows.map(([keys, text]) => (
        <div key={text}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
