export const RepositoriesPage = () => null;
