/** Each emoji with its name, and further words by which it is found. */
const NAMES = `
😀 grinning smile happy
😃 smile big eyes happy
😄 smile laughing eyes happy
😁 beaming smile
😆 laughing squint
😅 sweat smile relieved
🤣 rolling on the floor laughing
😂 tears of joy laughing
🙂 slight smile
🙃 upside down
😉 wink
😊 blush smile
😇 halo angel
🥰 hearts love smile
😍 heart eyes love
🤩 star eyes
😘 kiss
😋 yum delicious
😛 tongue
😜 wink tongue
🤪 zany
🤗 hug
🤭 giggle hand over mouth
🤫 quiet shush
🤔 thinking
🤐 zipper mouth
🤨 raised eyebrow
😐 neutral
😑 expressionless
😶 no mouth
😏 smirk
😒 unamused
🙄 rolling eyes
😬 grimace
😌 relieved
😔 pensive sad
😴 sleeping
😷 mask ill
🤒 thermometer ill fever
🤕 bandage hurt
🤢 nauseated
🤧 sneeze
🥵 hot
🥶 cold
🤯 mind blown
🥳 party celebrate
😎 cool sunglasses
🤓 nerd glasses
🧐 monocle
😕 confused
😟 worried
🙁 slight frown sad
😮 surprised open mouth
😲 astonished
😳 flushed
🥺 pleading
😨 fearful
😰 anxious sweat
😥 sad relieved
😢 cry sad
😭 loud crying
😱 scream
😞 disappointed
😤 huff steam
😡 angry red
😠 angry
😈 devil smile
💀 skull
💩 poo
🤡 clown
👻 ghost
👽 alien
🤖 robot
🙈 see no evil monkey
💋 kiss mark
💌 love letter
❤️ red heart love
🧡 orange heart
💛 yellow heart
💚 green heart
💙 blue heart
💜 purple heart
🖤 black heart
🤍 white heart
💔 broken heart
💕 two hearts
💖 sparkling heart
💯 hundred points
💢 anger
💥 boom collision
💫 dizzy star
💦 sweat drops water
💤 zzz sleep
👋 wave hello goodbye hand
✋ raised hand stop
👌 ok hand
✌️ victory peace
🤞 fingers crossed luck
🤟 love you gesture
🤙 call me hand
👈 point left
👉 point right
👆 point up
👇 point down
👍 thumbs up yes like
👎 thumbs down no
✊ raised fist
👊 fist bump
👏 clap applause
🙌 raised hands hooray
👐 open hands
🤝 handshake deal
🙏 folded hands thanks
✍️ writing hand
💪 strong muscle
👀 eyes look
🧠 brain
👶 baby
👦 boy
👧 girl
👨 man
👩 woman
👴 old man
👵 old woman
🤷 shrug
🤦 facepalm
🙋 raising hand question
🙇 bow thanks
💁 tipping hand information
🏃 run
🚶 walk
💃 dance
👪 family
🐶 dog
🐱 cat
🐭 mouse
🐰 rabbit
🦊 fox
🐻 bear
🐼 panda
🦁 lion
🐷 pig
🐸 frog
🐔 chicken
🐧 penguin
🐦 bird
🦉 owl
🐴 horse
🦄 unicorn
🐝 bee
🦋 butterfly
🐌 snail
🐢 turtle
🐟 fish
🐬 dolphin
💐 bouquet flowers
🌸 cherry blossom flower
🌹 rose flower
🌻 sunflower flower
🌷 tulip flower
🌱 seedling plant
🌲 evergreen tree
🌳 tree
🌴 palm tree
🌵 cactus
🌿 herb
🍀 four leaf clover luck
🍂 fallen leaf autumn
🍄 mushroom
🌍 globe earth world
🌙 moon
⭐ star
🌟 glowing star
✨ sparkles
☀️ sun
⛅ sun behind cloud
☁️ cloud
🌧️ rain
⛈️ thunder storm
❄️ snowflake cold
☔ umbrella rain
🌈 rainbow
🔥 fire hot
💧 drop water
🌊 wave sea
🍎 apple
🍐 pear
🍊 orange
🍋 lemon
🍌 banana
🍉 watermelon
🍇 grapes
🍓 strawberry
🍒 cherries
🍑 peach
🥑 avocado
🍅 tomato
🥕 carrot
🌽 corn
🍞 bread
🧀 cheese
🍕 pizza
🍔 burger
🍟 fries
🌮 taco
🥗 salad
🍣 sushi
🍦 ice cream
🎂 birthday cake
🍰 cake
🍪 cookie
🍫 chocolate
☕ coffee tea
🍵 tea
🍷 wine
🍺 beer
🥂 cheers toast
🍽️ plate meal
🏠 house home
🏢 office building
🏥 hospital
🏦 bank
🏨 hotel
🏪 shop store
🏫 school
⛪ church
🗺️ map
🚗 car
🚕 taxi
🚌 bus
🚑 ambulance
🚚 delivery van truck
🚲 bicycle
🚂 train
✈️ airplane flight
🚀 rocket
⛵ boat
⏰ alarm clock time
⏳ hourglass waiting
📅 calendar date
📍 pin place location
🎉 party celebrate tada
🎈 balloon
🎁 gift present
🏆 trophy
🥇 first medal
⚽ football
🏀 basketball
🎵 music note
🎧 headphones
📷 camera photo
🎥 film camera video
📺 television
💻 laptop computer
📱 phone mobile
☎️ telephone call
📞 receiver call
🔋 battery
💡 light bulb idea
🔧 wrench repair
🔨 hammer
🔑 key
🔒 lock closed
🔔 bell
📣 megaphone
✉️ envelope mail
📧 email
📦 parcel package
📝 memo note
📄 page document
📎 paperclip
📌 pushpin
✂️ scissors
🛒 shopping cart
🛍️ shopping bags
💳 credit card pay
💰 money bag
💶 euro money
💵 dollar money
🧾 receipt bill
💊 pill medicine
👕 shirt
👗 dress
👟 shoe
👓 glasses
💍 ring
✅ check done yes
✔️ check mark
❌ cross no
❗ exclamation
❓ question
⚠️ warning
🚫 forbidden no
♻️ recycle
➡️ arrow right
⬅️ arrow left
⬆️ arrow up
⬇️ arrow down
🔄 again refresh
🆗 ok
🆕 new
🆓 free
ℹ️ information
🔴 red circle
🟢 green circle
🟡 yellow circle
🔵 blue circle
`;

export const EMOJI: readonly { readonly emoji: string; readonly name: string }[] = NAMES.trim()
  .split('\n')
  .map((line) => {
    const end = line.indexOf(' ');
    return { emoji: line.slice(0, end), name: line.slice(end + 1) };
  });
