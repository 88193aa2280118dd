export const ImagesPage = () => null;
