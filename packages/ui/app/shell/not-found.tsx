import { Link } from '@tanstack/react-router';
import { Empty } from '../design/empty.tsx';
import { t } from '../messages/index.ts';

export const NotFound = () => (
  <Empty icon="search" title={t.notFound}>
    <p>
      <Link to="/applications">{t.goToApplications}</Link>
    </p>
  </Empty>
);
