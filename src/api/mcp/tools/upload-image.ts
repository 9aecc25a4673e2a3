import { z } from "zod";
import { uploadImageFromUrlRoute, uploadImageRoute } from "../../images/images.routes.ts";
import { ToolError, writingTool } from "../tool.ts";

const dataUrl = /^data:image\/[a-z+.-]{1,20};base64,([A-Za-z0-9+/]+={0,2})$/;

export const uploadImage = writingTool({
  name: "upload_image",
  title: "Upload an image",
  description:
    "Stores an image for a registration: pass its url as imageUrl to register_token within 24 hours. For PNG, JPEG, GIF, WebP and AVIF up to 5 MB. It is re-encoded without metadata, and is public.",
  isOpenWorld: true,
  input: z.object({
    image: z
      .string()
      .max(7_000_000)
      .describe("A base64 data URL or, where the operator allows it, an https URL.")
      .meta({ examples: ["data:image/png;base64,iVBORw0KGgo="] }),
  }),
  output: uploadImageRoute.responses[201].content["application/json"].schema,
  async run({ image }, { send }) {
    if (/^https?:/i.test(image)) return await send(uploadImageFromUrlRoute, { url: image });
    const [, content] = dataUrl.exec(image) ?? [];
    if (content === undefined) {
      throw new ToolError(
        "invalid_image",
        "image must be a data URL, such as data:image/png;base64,iVBORw0KGgo=, or an https URL.",
      );
    }
    const form = new FormData();
    form.set("file", new Blob([Buffer.from(content, "base64")]), "image");
    return await send(uploadImageRoute, form);
  },
});
