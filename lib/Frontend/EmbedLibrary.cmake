# cmake -DOUT=FILE -DFILES=LIST -P EmbedLibrary.cmake: writes the model files as
# elements {"std/NAME.acr", R"acr(TEXT)acr"} of an array.
set(text "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND text "{\"std/${name}\", R\"acr(${content})acr\"},\n")
endforeach()
file(WRITE "${OUT}" "${text}")
